import { Parser } from 'htmlparser2'
import { plainText } from '#base/plain-text.ts'
import { truncate } from '#base/characters.ts'
import type { Page } from '#base/server/outbound/safe-fetch.ts'

export type Preview = { site: string; title: string }

const longestSite = 60
const maxTitleLength = 140

/** The metadata in a page's head: title and site name. Null without a title. All of it is treated as plain text. */
export function previewIn(page: Page, host: string): Preview | null {
  const metadata = headOf(textOf(page))
  const titles = ['og:title', 'twitter:title', 'title'].map((name) => oneLine(metadata.get(name) ?? '', maxTitleLength))
  const title = titles.find((one) => one !== '')
  return title ? { title, site: oneLine(metadata.get('og:site_name') ?? '', longestSite) || host } : null
}

const properties = ['og:title', 'og:site_name', 'twitter:title']

/** The first value of each, up to the body. */
function headOf(html: string): Map<string, string> {
  const metadata = new Map<string, string>()
  let isTitle = false
  let isPastHead = false
  const note = (name: string, text: string) => {
    if (!metadata.has(name)) metadata.set(name, text)
  }
  const parser = new Parser({
    onopentag(name, { property, name: named, content }) {
      if (name === 'body') isPastHead = true
      // `property` may be a list, and some pages use `name` instead.
      const names = `${property ?? ''} ${named ?? ''}`.toLowerCase().split(/\s+/)
      if (!isPastHead && name === 'meta' && content?.trim()) for (const one of properties) if (names.includes(one)) note(one, content)
      if (!isPastHead && name === 'title' && !metadata.has('title')) {
        isTitle = true
        metadata.set('title', '')
      }
    },
    ontext(text) {
      if (isTitle) metadata.set('title', `${metadata.get('title')}${text}`)
    },
    onclosetag(name) {
      if (name === 'title') isTitle = false
    },
  })
  parser.end(html)
  return metadata
}

function oneLine(text: string, most: number): string {
  return truncate(plainText(text.slice(0, 10_000)).replaceAll(/\s+/g, ' '), most)
}

// Old pages declare their charset in the first lines; a byte order mark takes precedence.
function textOf({ type, bytes }: Page): string {
  const metadata = /charset\s*=\s*["']?([\w.:-]+)/i
  const [, label = 'utf-8'] = metadata.exec(type) ?? metadata.exec(bytes.subarray(0, 4_096).toString('latin1')) ?? []
  const marked = marks.find(({ mark }) => bytes.subarray(0, mark.length).equals(mark))
  return decoderFor(marked?.label ?? label).decode(bytes)
}

const marks = [
  { mark: Buffer.from([0xef, 0xbb, 0xbf]), label: 'utf-8' },
  { mark: Buffer.from([0xfe, 0xff]), label: 'utf-16be' },
  { mark: Buffer.from([0xff, 0xfe]), label: 'utf-16le' },
]

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
