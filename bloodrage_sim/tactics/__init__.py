"""What scripted strategies think with: a survey of the board, and an appraisal of every option in named terms."""
