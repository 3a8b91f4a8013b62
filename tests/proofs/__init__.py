"""Standing proofs: what takes too long for tests, and when it is run.

`make proof-NAME`, or `python -m tests.proofs.NAME` with words of its own.

Before each release:  site (every page in a browser), operation (deaths, hostile input, readers, keeping, rights, two
                      versions at once), edition (what ships, played again by sample), open_data, search_api
When the engine or a player changes:  engine, speed, players, play; play_gains and evaluation_gains write tables
When statistics, claims or studies change:  readings, which runs comparing too
When pages change:  site, or parts of it at a site that runs; pictures takes those that the documentation shows
"""
