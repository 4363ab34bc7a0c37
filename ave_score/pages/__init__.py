"""Self-contained HTML pages: what they show, and the templates that they are made of."""
