type Decimal = { units: bigint; places: number }

/** The exact sum of two decimals, with as many places as the longer of them. Throws for anything but a decimal number. */
export function addDecimals(one: string | number, other: string | number): string {
  const [a, b] = [parseDecimal(one), parseDecimal(other)]
  const places = Math.max(a.places, b.places)
  return formatDecimal({ units: scaleUnits(a, places) + scaleUnits(b, places), places })
}

/** The exact product of two decimals; its places are the sum of theirs. */
export function multiplyDecimals(one: string | number, other: string | number): string {
  const [a, b] = [parseDecimal(one), parseDecimal(other)]
  return formatDecimal({ units: a.units * b.units, places: a.places + b.places })
}

// JavaScript prints very small and very large numbers with an exponent, such as 1e-7.
function parseDecimal(value: string | number): Decimal {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d{1,3}))?$/.exec(String(value))
  if (!parts) throw new RangeError(`${value} is not a decimal number`)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const units = BigInt(`${sign}${whole}${fraction}`)
  const places = fraction.length - Number(exponent)
  return places >= 0 ? { units, places } : { units: scaleUnits({ units, places }, 0), places: 0 }
}

function scaleUnits({ units, places }: Decimal, to: number): bigint {
  return units * 10n ** BigInt(to - places)
}

function formatDecimal({ units, places }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  const sign = units < 0n ? '-' : ''
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}
