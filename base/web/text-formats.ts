import type { Formats } from 'icu-minify/format'

/** The formats that texts name, as they are on the server: `{share, number, percent}`, `{day, date, long}`, `{until, time, short}`. */
export const textFormats: Formats = {
  number: { percent: { style: 'percent' } },
  // Dates and times share these names.
  dateTime: {
    medium: { year: 'numeric', month: 'short', day: 'numeric' },
    long: { year: 'numeric', month: 'long', day: 'numeric' },
    short: { hour: 'numeric', minute: 'numeric' },
  },
}
