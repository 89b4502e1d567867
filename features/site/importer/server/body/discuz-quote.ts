import type { DiscuzToken } from '#importer/server/body/discuz-tokens.ts'

export type QuoteHead = { name: string; address: string | null; /** The token after it. */ next: number }

/**
 * Who is quoted, where the form of Discuz! wrote it before the text:
 * `[size=2][url=…][color=#999999]NAME 发表于 DATE[/color][/url][/size]`, in older posts `[i]NAME 发表于 DATE[/i]`. The date is in the zone and
 * form of the member who quoted.
 */
export function quoteHead(tokens: readonly DiscuzToken[], begin: number): QuoteHead | null {
  let at = begin
  if (isBlank(tokens[at])) at++
  const last = Math.min(at + maxTokens, tokens.length)
  let [text, depth] = ['', 0]
  let address: string | null = null
  for (; at < last; at++) {
    const token = tokens[at]
    if (token?.type === 'text' && depth > 0) text += token.text
    else if ((token?.type === 'begin' || token?.type === 'end') && headTags.has(token.name)) {
      depth += token.type === 'begin' ? 1 : -1
      if (token.type === 'begin' && token.name === 'url') address = token.argument.slice(1)
    } else return null
    if (depth <= 0) break
  }
  const name = depth === 0 && endsLine(tokens[at + 1]) ? nameIn(text) : null
  return name === null ? null : { name, address, next: at + 1 }
}

const maxTokens = 20
const headTags = new Set(['size', 'url', 'color', 'i', 'b', 'font'])

function isBlank(token: DiscuzToken | undefined): boolean {
  return token?.type === 'text' && token.text.trim() === ''
}

function endsLine(token: DiscuzToken | undefined): boolean {
  if (token?.type === 'text') return /^[ \t]{0,10}(?:\r|\n|$)/.test(token.text)
  return (token?.type === 'end' && token.name === 'quote') || (token?.type === 'html' && token.name === 'br')
}

const verbs = [' 发表于 ', ' 發表於 ', ' posted on ', ' posted at ', ' published on ']
const maxHead = 200

function nameIn(text: string): string | null {
  const head = text.trim()
  if (head.length > maxHead || /[\r\n]/.test(head)) return null
  const [, before = ''] = /^(?:Published|Posted) by (\S{1,50})(?: (?:on|at))? [^[]*\d/i.exec(head) ?? []
  if (before !== '') return before
  const verb = verbs.find((one) => head.includes(one))
  if (verb === undefined) return null
  const at = head.lastIndexOf(verb)
  const [name, date] = [head.slice(0, at).trim(), head.slice(at + verb.length).trim()]
  return name !== '' && /[\d前昨刚剛]/.test(date) ? name : null
}
