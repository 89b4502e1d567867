/** The JSON Schema of a value in a contract. */
export type Shape = {
  type?: string
  properties?: Record<string, Shape>
  additionalProperties?: Shape | boolean
  items?: Shape
  anyOf?: Shape[]
  enum?: unknown[]
  const?: unknown
}

const lists = ['0', '""', '{}', '[]', '{"type":"heading"}']
const blocks = [
  '0',
  '{"type":"heading"}',
  '{"type":"horizontalRule","x":1}',
  '{"type":"bulletList","content":[]}',
  '{"type":"text","text":""}',
]
const texts = ['a', ' ', '茶', '\\u0061', '\\"', 'a@', '9', '\\ud800']

/** JSON bodies of the given size that begin as the endpoint expects and put everything into one field. */
export function* worstJson(shape: Shape, bytes: number): Generator<string> {
  const { type, properties = {}, additionalProperties: others, items = {}, anyOf } = shape
  if (anyOf) return yield* anyOf.flatMap((one) => [...worstJson(one, bytes)])
  yield '['.repeat(bytes)
  yield `${'['.repeat(50)}${fillTo(() => '0', bytes)}${']'.repeat(50)}`
  yield `{${fillTo((at) => `"n${at}":0`, bytes)}}`
  if (type === 'object') {
    for (const [name, inner] of oneOfEachKind(properties)) {
      const beside = Object.entries(properties).filter(([other]) => other !== name)
      const rest = beside.map(([other, its]) => `,${JSON.stringify(other)}:${sampleValue(its)}`).join('')
      for (const worst of worstJson(inner, bytes)) yield `{${JSON.stringify(name)}:${worst}${rest}}`
    }
    if (typeof others === 'object') yield `{${fillTo((at) => `"${at + 1}":${sampleValue(others)}`, bytes)}}`
  } else if (type === 'array') {
    for (const item of [...lists, sampleValue(items)]) yield `[${fillTo(() => item, bytes)}]`
    for (const worst of worstJson(items, bytes)) yield `[${worst}]`
  } else if (type === undefined) for (const block of blocks) yield `{"type":"doc","content":[${fillTo(() => block, bytes)}]}`
  else if (type === 'string') for (const piece of texts) yield `"${fillTo(() => piece, bytes, '')}"`
  else yield fillTo(() => '9', bytes, '')
}

const pieces = ['a=&', '&', '=&', '+', '%61', '%E8%8C%B6', '+=&']

/** The same for forms and queries. */
export function* worstForms(shape: Shape, bytes: number): Generator<string> {
  for (const piece of pieces) yield fillTo(() => piece, bytes, '')
  yield fillTo((at) => `n${at}=`, bytes, '&')
  for (const [name, inner] of oneOfEachKind(shape.properties ?? {})) {
    yield fillTo(() => `${name}=1`, bytes, '&')
    for (const worst of [`[${fillTo(() => '1', bytes)}]`, `{${fillTo((at) => `"${at}":1`, bytes)}}`]) yield `${name}=${worst}`
    for (const block of inner.type === undefined ? blocks : []) {
      const document = `{"type":"doc","content":[${fillTo(() => block, bytes)}]}`
      yield `${name}=${encodeURIComponent(document).slice(0, bytes)}`
    }
  }
}

/** A multipart form with many parts. */
export function* worstParts(bytes: number): Generator<string> {
  for (const name of ['', 'file', 'a', '__proto__', 'constructor']) {
    yield `${fillTo(() => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n\r\n`, bytes, '')}--b--\r\n`
    yield `${fillTo(() => `--b\r\ncontent-disposition: form-data; name="${name}"; filename="a"\r\n\r\n\r\n`, bytes, '')}--b--\r\n`
  }
  yield fillTo(() => '--b\r\n', bytes, '')
  yield `--b\r\n${fillTo((at) => `x-${at}: a\r\n`, bytes, '')}`
  yield `--b\r\ncontent-disposition: form-data; name="a"\r\ncontent-type: application/json\r\n\r\n${'['.repeat(bytes)}\r\n--b--\r\n`
}

// One field of each kind is enough.
function oneOfEachKind(properties: Record<string, Shape>): Map<string, Shape> {
  const kinds = new Map(Object.entries(properties).map(([name, its]) => [JSON.stringify({ ...its, default: null }), [name, its] as const]))
  return new Map(kinds.values())
}

function sampleValue({ type, properties = {}, anyOf: [first] = [], enum: [one] = [], const: only }: Shape): string {
  if (first) return sampleValue(first)
  if (only !== undefined || one !== undefined) return JSON.stringify(only ?? one)
  if (type === 'array') return '[]'
  if (type === 'object')
    return `{${Object.entries(properties)
      .map(([name, its]) => `${JSON.stringify(name)}:${sampleValue(its)}`)
      .join()}}`
  return type === 'string' ? '"1"' : type === 'boolean' ? 'true' : '1'
}

function fillTo(piece: (at: number) => string, bytes: number, between = ','): string {
  const all: string[] = []
  for (let [at, length] = [0, 0]; length < bytes; at++) {
    all.push(piece(at))
    length += (all.at(-1) ?? '').length + between.length
  }
  return all.join(between)
}
