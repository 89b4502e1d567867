/**
 * A value that PHP serialised. An array or object is a map, in its order, and its keys are text: PHP's `[1 => 'a']` and `['1' => 'a']` are the
 * same to PHP too.
 */
export type PhpValue = null | boolean | number | bigint | string | ReadonlyMap<string, PhpValue>

const maxDepth = 100

/**
 * Reads what PHP's `serialize` wrote, or gives undefined for anything else. Lengths of strings count bytes of the charset that they were written
 * in, so in a converted database they are wrong; such a string ends at the first `";` that a value or an end follows.
 */
export function unserialize(bytes: Buffer, decode: (bytes: Buffer) => string): PhpValue | undefined {
  const reading: Reading = { bytes, position: 0, decode, depth: 0 }
  const value = readValue(reading)
  return reading.position >= bytes.length ? value : undefined
}

type Reading = { bytes: Buffer; position: number; decode: (bytes: Buffer) => string; depth: number }

function readValue(reading: Reading): PhpValue | undefined {
  const kind = reading.bytes.toString('latin1', reading.position, reading.position + 2)
  reading.position += 2
  switch (kind) {
    case 'N;':
      return null
    case 'b:':
      return readUntil(reading, ';') === '1'
    case 'i:':
      return readInteger(reading)
    case 'd:':
      return readFraction(reading)
    case 's:':
      return readString(reading)
    case 'a:':
      return readMap(reading)
    case 'O:':
      // The name of the class, without quotation marks in it.
      readUntil(reading, '"')
      readUntil(reading, '":')
      return readMap(reading)
    default:
      return undefined
  }
}

/** The text up to a mark, which is passed; the reading ends beyond all bytes where there is none. */
function readUntil(reading: Reading, mark: string): string {
  const end = reading.bytes.indexOf(mark, reading.position, 'latin1')
  const text = reading.bytes.toString('latin1', reading.position, end === -1 ? reading.position : end)
  reading.position = end === -1 ? reading.bytes.length + 1 : end + mark.length
  return text
}

function readInteger(reading: Reading): number | bigint | undefined {
  const digits = readUntil(reading, ';')
  if (!/^-?\d{1,20}$/.test(digits)) return undefined
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

function readFraction(reading: Reading): number | undefined {
  const text = readUntil(reading, ';')
  if (text === 'INF' || text === '-INF') return text === 'INF' ? Infinity : -Infinity
  return text === '' ? undefined : Number(text)
}

const [quotationMark, semicolon] = [0x22, 0x3b]

/** `5:"hello";` after the mark of its kind. */
function readString(reading: Reading): string | undefined {
  const length = readUntil(reading, ':')
  const { bytes } = reading
  if (!/^\d{1,10}$/.test(length) || bytes[reading.position] !== quotationMark) return undefined
  const start = reading.position + 1
  const end = endOfString(bytes, start, start + Number(length))
  if (end === null) return undefined
  reading.position = end + 2
  return reading.decode(bytes.subarray(start, end))
}

/** Where its last quotation mark is: where the length says, or else at the first place where a string may end. */
function endOfString(bytes: Buffer, start: number, told: number): number | null {
  if (isEnd(bytes, told)) return told
  for (let at = bytes.indexOf('";', start, 'latin1'); at !== -1; at = bytes.indexOf('";', at + 1, 'latin1')) if (isEnd(bytes, at)) return at
  return null
}

const next = /^(?:$|\}|N;|b:[01];|i:-?\d{1,20};|[dD]:|s:\d{1,10}:"|a:\d{1,10}:\{|[OC]:\d{1,10}:"|[rR]:\d)/
const longestNext = 32

function isEnd(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== quotationMark || bytes[at + 1] !== semicolon) return false
  return next.test(bytes.toString('latin1', at + 2, at + 2 + longestNext))
}

/** `2:{…}` after the mark of its kind. The count is not needed. */
function readMap(reading: Reading): ReadonlyMap<string, PhpValue> | undefined {
  readUntil(reading, ':{')
  if (++reading.depth > maxDepth) return undefined
  const map = new Map<string, PhpValue>()
  while (reading.bytes[reading.position] !== 0x7d) {
    const key = keyOf(readValue(reading))
    const value = key === null ? undefined : readValue(reading)
    if (key === null || value === undefined) return undefined
    map.set(key, value)
  }
  reading.depth--
  reading.position++
  return map
}

function keyOf(value: PhpValue | undefined): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : null
}
