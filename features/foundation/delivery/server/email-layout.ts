import { escapeHtml } from '#base/escape.ts'
import type { Language } from '#base/server/words.ts'

/** One item of a list in an e-mail, with its link. Members' text about it stands below. */
export type Piece = { text: string; to?: string; about?: string; excerpt?: string }
export type LabelledLink = { text: string; to: string }

export type EmailContent = {
  language: Language
  subject: string
  paragraphs: readonly string[]
  pieces?: readonly Piece[]
  /** The call to action. */
  button?: LabelledLink | null
  site: string
  /** Small print at the end. */
  foot?: readonly (string | LabelledLink)[]
}

/** An e-mail as plain text. */
export function textOf({ paragraphs, pieces = [], button, site, foot = [] }: EmailContent): string {
  const listed = pieces.map(({ text, about, excerpt, to }) =>
    [`- ${unlinked(text)}`, ...[about, excerpt].flatMap((one) => (one ? `  ${unlinked(one)}` : [])), ...(to ? [`  ${to}`] : [])].join('\n'),
  )
  const ways = foot.map((one) => (typeof one === 'string' ? one : `${one.text}: ${one.to}`))
  return `${[...paragraphs, ...listed, ...(button ? [`${button.text}: ${button.to}`] : []), site, ...ways].join('\n\n')}\n`
}

// Mail clients read styles of the element alone, or of one sheet in the head; most support its dark scheme, and the others show the light
// one.
const dark = {
  page: 'background: #191a18',
  sheet: 'background: #232522; border-color: #3a3d38; color: #e9e7e1',
  quiet: 'color: #a9aca4',
  rule: 'border-color: #3a3d38',
  link: 'color: #8fc9a8',
  button: 'background: #8fc9a8; color: #14201a',
} as const

const sheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
${Object.entries(dark)
  .map(([name, look]) => `  .${name} { ${look.replaceAll(/;|$/g, ' !important;')} }`)
  .join('\n')}
}`

const font = `-apple-system, 'Segoe UI', Roboto, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif`
const quiet = 'color: #63675f; font-size: 14px'

/** The same as HTML: tables, and inline styles, for the sake of mail clients. It loads nothing from elsewhere. */
export function pageOf({ language, subject, paragraphs, pieces = [], button, site, foot = [] }: EmailContent): string {
  const parts = [
    ...paragraphs.map((text) => `<p style="margin: 0 0 16px">${broken(text)}</p>`),
    ...pieces.map(asPiece),
    ...(button ? [asButton(button)] : []),
  ]
  const small = [site, ...foot].map((one) => `<p class="quiet" style="margin: 0 0 6px; ${quiet}">${asFoot(one)}</p>`)
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${sheet}
</style>
</head>
<body class="page" style="margin: 0; padding: 0; background: #f3f1eb">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background: #f3f1eb"><tr><td align="center" style="padding: 24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="sheet" style="max-width: 600px; background: #ffffff; border: 1px solid #e2dfd6; border-radius: 8px; color: #22251f; font: 16px/1.6 ${font}"><tr><td style="padding: 24px; word-break: break-word">
${parts.join('\n')}
<div class="rule" style="border-top: 1px solid #e2dfd6; margin: 24px 0 16px"></div>
${small.join('\n')}
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}

/** The same in a light or a dark scheme, with inline styles only: our pages' policy blocks stylesheets in a frame. */
export function inColorScheme(html: string, light: 'light' | 'dark'): string {
  const bare = html.replace(/<style>[^<]*<\/style>/, '').replaceAll('content="light dark"', `content="${light}"`)
  if (light === 'light') return bare
  return bare.replace(/(<[^<>]*class="(\w+)"[^<>]* style="[^"]*)"/g, (whole, before: string, name: string) =>
    Object.hasOwn(dark, name) ? `${before}; ${dark[name as keyof typeof dark]}"` : whole,
  )
}

function asPiece({ text, to, about, excerpt }: Piece): string {
  const says = to ? `<a class="link" href="${escapeHtml(to)}" style="color: #2c6e4c">${member(text)}</a>` : member(text)
  const line = (one: string | undefined) => (one ? `<br><span class="quiet" dir="auto" style="${quiet}">${member(one)}</span>` : '')
  return `<p class="rule" style="margin: 0 0 12px; padding: 12px 0 0; border-top: 1px solid #e2dfd6">${says}${line(about)}${line(excerpt)}</p>`
}

function asButton({ text, to }: LabelledLink): string {
  const look = 'display: inline-block; padding: 10px 20px; border-radius: 6px; background: #2c6e4c; color: #ffffff; text-decoration: none'
  return `<p style="margin: 16px 0"><a class="button" href="${escapeHtml(to)}" style="${look}">${escapeHtml(text)}</a></p>`
}

function asFoot(one: string | LabelledLink): string {
  return typeof one === 'string'
    ? escapeHtml(one)
    : `<a class="link" href="${escapeHtml(one.to)}" style="color: #2c6e4c">${escapeHtml(one.text)}</a>`
}

function broken(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>')
}

function member(text: string): string {
  return escapeHtml(unlinked(text))
}

/** Members' text with invisible characters in addresses, so that mail clients do not link them. */
export function unlinked(text: string): string {
  return text.replace(/([.:@/])(?=[\p{L}\p{N}/])/gu, '$1\u2060')
}
