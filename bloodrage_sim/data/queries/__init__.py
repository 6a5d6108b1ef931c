"""Example queries on a data set, to read, copy and change; `bloodrage schema --queries` shows them.

An .sql file is for DuckDB and takes the folder of the data set from the variable `run`.  A .py file is for pandas; its function
`query(run)` takes the folder and gives a DataFrame.
"""
