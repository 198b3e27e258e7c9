"""The core: takes commands, runs turns, emits events. Counterpart: `protocol`, through which alone it is met."""
