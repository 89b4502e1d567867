import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

export type HtmlAttributes = ReadonlyMap<string, string>
/** Hears of HTML as it is written, tag by tag. Tags need not match. Entities are decoded. */
export type HtmlReader = {
  open: (name: string, attributes: HtmlAttributes) => void
  close: (name: string) => void
  text: (text: string) => void
}
export type HtmlSource = {
  write: (chunk: string) => void
  /** The reader hears all text so far. */
  flush: () => void
  end: () => void
}

/**
 * Reads HTML with the tokenizer of htmlparser2. Its parser keeps the open elements in an array whose beginning is the innermost, which takes
 * quadratic time for tags that are never closed.
 */
export function readHtml(reader: HtmlReader): HtmlSource {
  const chunks = chunksRead()
  let text: string[] = []
  const flush = () => {
    if (text.length > 0) reader.text(text.join(''))
    text = []
  }
  const ignore = () => {}
  const tokenizer = new Tokenizer(
    {},
    {
      ontext: (from, to) => void text.push(chunks.slice(from, to)),
      ontextentity: (code) => void text.push(String.fromCodePoint(code)),
      onclosetag(from, to) {
        flush()
        reader.close(chunks.slice(from, to).toLowerCase())
      },
      ...beginTags(chunks, (name, attributes) => {
        flush()
        reader.open(name, attributes)
      }),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  )
  return {
    flush,
    write(chunk) {
      chunks.add(chunk)
      tokenizer.write(chunk)
    },
    end() {
      tokenizer.end()
      flush()
    },
  }
}

type TagCallbacks = Pick<
  TokenizerCallbacks,
  'onopentagname' | 'onattribname' | 'onattribdata' | 'onattribentity' | 'onattribend' | 'onopentagend' | 'onselfclosingtag'
>

function beginTags(chunks: Chunks, open: HtmlReader['open']): TagCallbacks {
  let attributes = new Map<string, string>()
  let [name, attribute, value] = ['', '', '']
  return {
    onopentagname(from, to) {
      name = chunks.slice(from, to).toLowerCase()
      attributes = new Map()
    },
    onattribname: (from, to) => void (attribute = chunks.slice(from, to).toLowerCase()),
    onattribdata: (from, to) => void (value += chunks.slice(from, to)),
    onattribentity: (code) => void (value += String.fromCodePoint(code)),
    onattribend() {
      if (!attributes.has(attribute)) attributes.set(attribute, value)
      value = ''
    },
    onopentagend: () => open(name, attributes),
    onselfclosingtag: () => open(name, attributes),
  }
}

type Chunks = { add: (chunk: string) => void; slice: (from: number, to: number) => string }

/** Text by its place in all chunks together. What is before the last place is forgotten. */
function chunksRead(): Chunks {
  let kept: string[] = []
  let begin = 0
  return {
    add: (chunk) => void kept.push(chunk),
    slice(from, to) {
      const passed = kept.findIndex((chunk) => {
        if (begin + chunk.length > from) return true
        begin += chunk.length
        return false
      })
      kept = passed < 0 ? [] : kept.slice(passed)
      const [first = ''] = kept
      const all = to - begin <= first.length ? first : kept.join('')
      return all.slice(from - begin, to - begin)
    },
  }
}
