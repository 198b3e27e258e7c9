"""The window. It meets the core through two queues alone: commands out (`send`), events in (`bridge`).

`window` joins the parts, `dispatcher` turns each event into one call, `theme` holds every colour.
"""
