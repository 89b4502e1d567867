import type { Mark } from '#base/rich-text/document.ts'
import type { Container } from '#importer/server/body/container.ts'

export const markTags: ReadonlyMap<string, Exclude<Mark['type'], 'link'>> = new Map([
  ['b', 'bold'],
  ['strong', 'bold'],
  ['i', 'italic'],
  ['em', 'italic'],
  ['s', 'strike'],
  ['strike', 'strike'],
  ['del', 'strike'],
  ['code', 'code'],
  ['kbd', 'code'],
  ['samp', 'code'],
  ['tt', 'code'],
])

export const containerTags: ReadonlyMap<string, Container> = new Map<string, Container>([
  ['blockquote', { type: 'blockquote' }],
  ['ul', { type: 'list', start: null }],
  ['ol', { type: 'list', start: 1 }],
  ['li', { type: 'item' }],
  ['table', { type: 'table' }],
  ['tr', { type: 'row' }],
  ['td', { type: 'cell', align: null }],
  ['th', { type: 'cell', align: null }],
  ['h1', { type: 'heading', level: 2 }],
  ['h2', { type: 'heading', level: 2 }],
  ['h3', { type: 'heading', level: 3 }],
  ['h4', { type: 'heading', level: 4 }],
  ['h5', { type: 'heading', level: 4 }],
  ['h6', { type: 'heading', level: 4 }],
])

/** Blocks of which only the line breaks remain. */
export const lineTags: ReadonlySet<string> = new Set(
  (
    'address article aside body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form header html legend ' +
    'main menu nav optgroup option p section summary'
  ).split(' '),
)

/** Tags that change nothing which a document can say, or that have no content. */
export const plainTags: ReadonlySet<string> = new Set(
  (
    'abbr acronym area base basefont bdi bdo big button cite col colgroup data dfn font input ins label link map mark meta nobr output param ' +
    'picture q rp rt ruby select small source span sub sup tbody textarea tfoot thead time track u var wbr'
  ).split(' '),
)

/** Content that no reader sees as text. */
export const unseenTags: ReadonlySet<string> = new Set('script style iframe noembed noframes noscript template title'.split(' '))

/** Media of which the address remains. */
export const mediaTags: ReadonlySet<string> = new Set(['iframe', 'video', 'audio', 'embed'])

/** Tags whose look is lost. */
export const notedTags: ReadonlySet<string> = new Set(['font', 'sub', 'sup', 'u'])
