"""The compiled rules core.  It knows no strategy by name, no pandas and no click."""
