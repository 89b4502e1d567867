import { escapeHtml } from '#base/escape.ts'
import { attributesOf, elements, rawElements, voidElements } from '#frame/server/allowed-html.ts'

export type Cleaned = { html: string; /** What was not taken over: elements and attributes. */ leftOut: string[] }

const tag = /<(\/?)([a-zA-Z][a-zA-Z0-9:-]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>/y
const deepest = 60

/**
 * HTML of staff without whatever could run, ask or cover. It is written anew from the few elements and attributes that are known,
 * everything else as text: what this misreads is seen, and does nothing.
 */
export function cleanHtml(written: string): Cleaned {
  const text = written.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, '')
  const leftOut = new Set<string>()
  const open: string[] = []
  let html = ''
  for (let at = 0; at < text.length;) {
    const start = text.indexOf('<', at)
    if (start !== at) {
      html += textOf(text.slice(at, start === -1 ? undefined : start))
      at = start === -1 ? text.length : start
      continue
    }
    const remark = remarkAt(text, at)
    if (remark > at) {
      at = remark
      continue
    }
    tag.lastIndex = at
    const found = tag.exec(text)
    if (!found) {
      html += '&lt;'
      at++
      continue
    }
    at = tag.lastIndex
    const [, isEnd, written = '', rest = ''] = found
    const name = written.toLowerCase()
    if (isEnd) html += closed(open, name)
    else if (rawElements.has(name)) {
      leftOut.add(`<${name}>`)
      at = afterEnd(text, at, name)
    } else if (!elements.has(name) || open.length >= deepest) leftOut.add(`<${name}>`)
    else {
      html += `<${name}${attributesOf(name, rest, leftOut)}>`
      if (!voidElements.has(name)) open.push(name)
    }
  }
  return { html: html + open.toReversed().map(endOf).join(''), leftOut: [...leftOut] }
}

/** Closes an element with all that is open in it; what was never opened closes nothing. */
function closed(open: string[], name: string): string {
  const from = open.lastIndexOf(name)
  return from === -1 ? '' : open.splice(from).toReversed().map(endOf).join('')
}

function endOf(name: string): string {
  return `</${name}>`
}

/** Where a comment, a declaration or an instruction ends. */
function remarkAt(text: string, at: number): number {
  if (!/^<[!?]/.test(text.slice(at, at + 2))) return at
  const mark = text.startsWith('<!--', at) ? '-->' : '>'
  const end = text.indexOf(mark, at)
  return end === -1 ? text.length : end + mark.length
}

/** Where an element ends whose content is no text. */
function afterEnd(text: string, from: number, name: string): number {
  const end = new RegExp(`</${name}\\b[^>]*>`, 'gi')
  end.lastIndex = from
  return end.test(text) ? end.lastIndex : text.length
}

// Signs that are named stay named.
function textOf(text: string): string {
  return escapeHtml(text).replace(/&amp;(#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/gi, '&$1;')
}
