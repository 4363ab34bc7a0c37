"""Options that have another name today."""

from __future__ import annotations

RENAMED = {
    "--baseline": "--against NAME",
    "--campaign": "--letters NAME",
    "--confidence-scorer": "--log confidence=NAME",
    "--correct-scorer": "--log scorer=NAME",
    "--filter": "--log filter=NAME",
    "--groups": "--teams FILE",
    "--right-from": "--log right-from=T",
    "--task": "--log task=NAME,...",
    "--withheld": "--log withheld=REGEX",
}
"""Old name of an option -> what is written today, in the commands that have that option."""
