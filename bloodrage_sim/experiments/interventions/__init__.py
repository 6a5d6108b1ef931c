"""Interventions, one family a file.  Each is read from a TOML table and laid on an arm through its ArmBuilder."""
