import { Parser } from 'htmlparser2'
import { plainText } from '#base/plain-text.ts'
import { cut } from '#base/rich-text/to-text.ts'
import type { Page } from '#base/server/safe-fetch.ts'

export type Preview = { site: string; title: string }

const longestSite = 60
const longestTitle = 140

/** What a page says of itself in its head: a title, and the site it belongs to. Null where it has no title. What it says is text, whatever it looks like. */
export function previewIn(page: Page, host: string): Preview | null {
  const told = headOf(textOf(page))
  const title = oneLine(told.get('og:title') ?? '', longestTitle) || oneLine(told.get('title') ?? '', longestTitle)
  return title ? { title, site: oneLine(told.get('og:site_name') ?? '', longestSite) || host } : null
}

const wanted = new Set(['og:title', 'og:site_name'])

/** The first of each, up to the body. */
function headOf(html: string): Map<string, string> {
  const told = new Map<string, string>()
  let isTitle = false
  let isOver = false
  const note = (name: string, text: string) => {
    if (!told.has(name)) told.set(name, text)
  }
  const parser = new Parser({
    onopentag(name, { property, name: named, content }) {
      if (name === 'body') isOver = true
      const of = property ?? named ?? ''
      if (!isOver && name === 'meta' && wanted.has(of) && content) note(of, content)
      if (!isOver && name === 'title' && !told.has('title')) {
        isTitle = true
        told.set('title', '')
      }
    },
    ontext(text) {
      if (isTitle) told.set('title', `${told.get('title')}${text}`)
    },
    onclosetag(name) {
      if (name === 'title') isTitle = false
    },
  })
  parser.end(html)
  return told
}

function oneLine(text: string, most: number): string {
  return cut(plainText(text.slice(0, 10_000)).replaceAll(/\s+/g, ' '), most)
}

// Pages of the old days say in their first lines in which letters they are written.
function textOf({ type, bytes }: Page): string {
  const told = /charset\s*=\s*["']?([\w-]+)/i
  const [, label = 'utf-8'] = told.exec(type) ?? told.exec(bytes.subarray(0, 1_024).toString('latin1')) ?? []
  return decoderFor(label).decode(bytes)
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
