/** Formatters of the platform, each created once for its options, because creating one is expensive. */
export const formatters = {
  getDateTimeFormat: memoize(Intl.DateTimeFormat),
  getNumberFormat: memoize(Intl.NumberFormat),
  getPluralRules: memoize(Intl.PluralRules),
  getRelativeTimeFormat: memoize(Intl.RelativeTimeFormat),
}

function memoize<Asked extends unknown[], Made>(Make: new (...args: Asked) => Made): (...args: Asked) => Made {
  const cache = new Map<string, Made>()
  return (...args) => {
    const key = JSON.stringify(args)
    const formatter = cache.get(key) ?? new Make(...args)
    cache.set(key, formatter)
    return formatter
  }
}
