"""What everything stands on: values, labels, policies, findings, kinds of files, numbers, text."""
