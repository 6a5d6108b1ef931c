"""What cards do: one function per `effect` of cards.csv, named after it, in files by the moment when it acts."""
