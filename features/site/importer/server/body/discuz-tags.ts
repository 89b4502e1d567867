/** How Discuz! reads a tag: what may stand behind its name, and whether it needs its end to be one. */
export type TagForm = {
  argument: RegExp
  /** Without an end it is text, as written; another tag works to the end of the text, and an end without a begin is nothing. */
  needsEnd: boolean
  /** A look that is lost. */
  isLook: boolean
}

const none = /^$/
const colour = /^=(?:[#\w]+|rgba?\([\d\s,.%]+\))$/i

/** The tags that may hold others, from discuzcode() in the public source of Discuz! X3.5. */
export const tagForms: ReadonlyMap<string, TagForm> = new Map<string, TagForm>([
  ['b', { argument: none, needsEnd: false, isLook: false }],
  ['i', { argument: /^(?:=s)?$/i, needsEnd: false, isLook: false }],
  ['s', { argument: none, needsEnd: false, isLook: false }],
  ['u', { argument: none, needsEnd: false, isLook: true }],
  ['color', { argument: colour, needsEnd: false, isLook: true }],
  ['backcolor', { argument: colour, needsEnd: false, isLook: true }],
  ['size', { argument: /^=[\d.]{1,5}(?:px|pt)?$/i, needsEnd: false, isLook: true }],
  ['font', { argument: /^=[^<]+$/, needsEnd: false, isLook: true }],
  ['align', { argument: /^=(?:left|center|right)$/i, needsEnd: false, isLook: true }],
  ['float', { argument: /^=(?:left|right)$/i, needsEnd: false, isLook: true }],
  ['p', { argument: /^=(?:\d{1,2}|null), (?:\d{1,2}|null), (?:left|center|right)$/i, needsEnd: false, isLook: true }],
  ['indent', { argument: none, needsEnd: false, isLook: true }],
  ['list', { argument: /^(?:=[1a])?$/i, needsEnd: false, isLook: false }],
  ['*', { argument: none, needsEnd: false, isLook: false }],
  ['hr', { argument: none, needsEnd: false, isLook: false }],
  ['quote', { argument: none, needsEnd: true, isLook: false }],
  ['free', { argument: none, needsEnd: true, isLook: false }],
  ['url', { argument: /^(?:=[^"']+)?$/, needsEnd: true, isLook: false }],
  ['email', { argument: /^(?:=[\w.+-]+@[\w.-]+)?$/, needsEnd: true, isLook: false }],
  ['groupid', { argument: /^=\d+$/, needsEnd: true, isLook: false }],
  ['table', { argument: /^(?:=[\w%(),# ]+)?$/, needsEnd: true, isLook: false }],
  ['tr', { argument: /^(?:=[\w%(),# ]+)?$/, needsEnd: false, isLook: false }],
  ['td', { argument: /^(?:=[\d,%]+)?$/, needsEnd: false, isLook: false }],
])

/** Tags around an address or a number alone. */
export const embedForms: ReadonlyMap<string, RegExp> = new Map([
  ['img', /^(?:=\d{1,4}[x,|]\d{1,4})?$/i],
  ['media', /^(?:=[\w,]+)?$/],
  ['audio', /^(?:=1)?$/],
  ['flash', /^(?:=\d+,\d+)?$/],
  ['swf', none],
  ['attach', none],
  ['attachimg', none],
  ['postbg', none],
])

/** Tags that are dealt with before; what is left of them is text. */
export const regionTags: ReadonlySet<string> = new Set(['hide', 'password', 'code'])
