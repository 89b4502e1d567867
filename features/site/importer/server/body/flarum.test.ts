import { expect, test } from 'vitest'
import type { Block } from '#base/rich-text/document.ts'
import type { BodyOptions } from '#importer/server/body/conversion.ts'
import { documentFromS9e } from '#importer/server/body/s9e.ts'

const blocks = (xml: string, options?: BodyOptions): Block[] => documentFromS9e(xml, options).document.content
const saying = (text: string): Block => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const linked = (text: string, href: string) => ({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] })

test('the mention of a post is a link to its number', () => {
  const xml = '<r><p><POSTMENTION discussionid="7" displayname="Ann Lee" id="12" number="3">@"Ann Lee"#p12</POSTMENTION> yes</p></r>'
  expect(blocks(xml)).toEqual([{ type: 'paragraph', content: [linked('@Ann Lee', './d/7/3'), { type: 'text', text: ' yes' }] }])
})

test('the mention of a member has the id, or the name where there is none', () => {
  const mention = (id: string, label: string) => ({ type: 'mention', attrs: { id, label } })
  const known = '<USERMENTION displayname="Ann Lee" id="5">@"Ann Lee"#5</USERMENTION>'
  expect(blocks(`<r><p>${known} <USERMENTION username="tom">@tom</USERMENTION> <USERMENTION>@li</USERMENTION></p></r>`)).toEqual([
    {
      type: 'paragraph',
      content: [
        mention('import:member/5', 'Ann Lee'),
        { type: 'text', text: ' ' },
        mention('import:name/tom', 'tom'),
        { type: 'text', text: ' ' },
        mention('import:name/li', 'li'),
      ],
    },
  ])
})

test('the blank that the mention of a tag swallowed stands before its link', () => {
  expect(blocks('<r><p>see<TAGMENTION id="3" slug="tea" tagname="Tea"> #tea</TAGMENTION>.</p></r>')).toEqual([
    { type: 'paragraph', content: [{ type: 'text', text: 'see ' }, linked('#tea', './t/tea'), { type: 'text', text: '.' }] },
  ])
})

test('the mention of a group is its name', () => {
  expect(blocks('<r><p><GROUPMENTION groupname="Mods" id="4">@"Mods"#g4</GROUPMENTION></p></r>')).toEqual([saying('@Mods')])
})

test('the marks of Markdown are marks of the text', () => {
  const strong = '<STRONG><s>**</s>a<e>**</e></STRONG>'
  const code = '<C><s>`</s>d  <EM/>e<e>`</e></C>'
  const xml = `<r><p>${strong} <EM><s>*</s>b<e>*</e></EM> <DEL><s>~~</s>c<e>~~</e></DEL> ${code} <ESC><s>\\</s>*</ESC></p></r>`
  expect(blocks(xml)).toEqual([
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'a', marks: [{ type: 'bold' }] },
        { type: 'text', text: ' ' },
        { type: 'text', text: 'b', marks: [{ type: 'italic' }] },
        { type: 'text', text: ' ' },
        { type: 'text', text: 'c', marks: [{ type: 'strike' }] },
        { type: 'text', text: ' ' },
        { type: 'text', text: 'd  e', marks: [{ type: 'code' }] },
        { type: 'text', text: ' *' },
      ],
    },
  ])
})

test('the blocks of Markdown are blocks, without the signs at the beginnings of lines', () => {
  const list = '<LIST type="decimal" start="4"><LI><s>4. </s>four</LI>\n<LI><s>5. </s>five</LI></LIST>'
  const quote = '<QUOTE><i>&gt; </i><p>said</p></QUOTE>'
  const code = '<CODE lang="js"><s>```js</s><i>\n</i>let a\n  b<i>\n</i><e>```</e></CODE>'
  expect(
    blocks(`<r><H1><s># </s>Tea</H1>\n\n${list}\n\n${quote}\n\n<HR>---</HR>\n\n${code}\n\n<p>one<br/>\ntwo</p>\n\n<p>three</p></r>`),
  ).toEqual([
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Tea' }] },
    {
      type: 'orderedList',
      attrs: { start: 4 },
      content: [
        { type: 'listItem', content: [saying('four')] },
        { type: 'listItem', content: [saying('five')] },
      ],
    },
    { type: 'blockquote', content: [saying('said')] },
    { type: 'horizontalRule' },
    { type: 'codeBlock', attrs: { language: 'javascript' }, content: [{ type: 'text', text: 'let a\n  b' }] },
    { type: 'paragraph', content: [{ type: 'text', text: 'one' }, { type: 'hardBreak' }, { type: 'text', text: 'two' }] },
    saying('three'),
  ])
})

test('a picture has its description as the text of the link', () => {
  const xml = '<r><p><IMG alt="a cup" src="https://a.org/p.png"><s>![</s>a cup<e>](https://a.org/p.png)</e></IMG></p></r>'
  expect(blocks(xml)).toEqual([{ type: 'paragraph', content: [linked('a cup', 'https://a.org/p.png')] }])
})

test('a table of pipes keeps its rows and alignment', () => {
  const row = (name: string, ...cells: string[]) =>
    `<TR>${cells.map((cell) => `<${name} align="center"> ${cell} </${name}>`).join('<i>|</i>')}</TR>`
  const xml = `<r><TABLE><THEAD>${row('TH', 'a', 'b')}</THEAD><i>\n-|-\n</i><TBODY>${row('TD', '1', '2')}</TBODY></TABLE></r>`
  const cell = (type: string, text: string) => ({ type, attrs: { align: 'center' }, content: [saying(text)] })
  expect(blocks(xml)).toEqual([
    {
      type: 'table',
      content: [
        { type: 'tableRow', content: [cell('tableHeader', 'a'), cell('tableHeader', 'b')] },
        { type: 'tableRow', content: [cell('tableCell', '1'), cell('tableCell', '2')] },
      ],
    },
  ])
})

test('text behind a spoiler is shown, with a note', () => {
  const { document, notes } = documentFromS9e(
    '<r><SPOILER><i>&gt;! </i><p>the end</p></SPOILER><p>a <ISPOILER><s>||</s>b<e>||</e></ISPOILER></p></r>',
  )
  expect(document.content).toEqual([saying('the end'), saying('a b')])
  expect(notes).toEqual(['spoiler'])
})

const known: BodyOptions = {
  fileAt: (reference) =>
    /^(?:an-uuid|https:\/\/old\.example\/assets\/files\/1-cup\.png)$/.test(reference) ? { id: '1-cup.png', name: 'cup.png' } : null,
}
const upload: Block = { type: 'file', attrs: { file: 'import:file/1-cup.png', name: 'cup.png', bytes: 1 } }
const address = 'https://old.example/assets/files/1-cup.png'

test.each([
  [
    'by UUID',
    '<UPL-FILE content="cup.png" size="1kB" uuid="an-uuid"><s>[upl-file uuid=an-uuid size=1kB]</s>cup.png<e>[/upl-file]</e></UPL-FILE>',
  ],
  [
    'as a preview without an end',
    `<UPL-IMAGE-PREVIEW url="${address}" uuid="an-uuid">[upl-image-preview uuid=an-uuid]</UPL-IMAGE-PREVIEW>`,
  ],
  [
    'as an old preview without an UUID',
    `<UPL-IMAGE-PREVIEW url="${address}"><s>[upl-image-preview url=${address}]</s></UPL-IMAGE-PREVIEW>`,
  ],
  ['as a picture of Markdown', `<IMG alt="a cup" src="${address}"><s>![</s>a cup<e>](${address})</e></IMG>`],
  [
    'as a picture within its own link',
    `<URL url="${address}"><s>[URL=${address}]</s><IMG src="${address}"><URL url="${address}">${address}</URL></IMG><e>[/URL]</e></URL>`,
  ],
  ['as its address alone', `<URL url="${address}">${address}</URL>`],
])('an upload stands as a file, %s', (_, xml) => {
  expect(blocks(`<r><p>${xml}</p></r>`, known)).toEqual([upload])
})

test('an upload that is gone is its name, or a link to its address', () => {
  const file = '<UPL-FILE content="gone.zip" uuid="other"><s>[upl-file uuid=other]</s>gone.zip<e>[/upl-file]</e></UPL-FILE>'
  const preview = '<UPL-IMAGE-PREVIEW url="https://cdn.example/x.png" uuid="other">[upl-image-preview uuid=other]</UPL-IMAGE-PREVIEW>'
  expect(documentFromS9e(`<r><p>${file}</p><p>${preview}</p></r>`, known)).toEqual({
    document: {
      type: 'doc',
      content: [saying('gone.zip'), { type: 'paragraph', content: [linked('https://cdn.example/x.png', 'https://cdn.example/x.png')] }],
    },
    notes: ['missing attachment'],
    shownFileIds: [],
  })
})

test.each(['REPLY', 'LOGIN', 'LIKE', 'MEMBERS'])('what [%s] hides is hidden until one comments, also within a list', (name) => {
  const part = `<${name}><s>[x]</s><p>secret</p><e>[/x]</e></${name}>`
  const hidden = { type: 'hidden', attrs: { lock: 'comment', value: '' }, content: [saying('secret')] }
  expect(blocks(`<r><p>open</p>${part}</r>`, { hides: true })).toEqual([saying('open'), hidden])
  const inList = blocks(`<r><LIST><LI><s>- </s>one ${part}</LI></LIST></r>`, { hides: true })
  expect(inList.at(-1)).toEqual(hidden)
  expect(JSON.stringify(inList.slice(0, -1))).not.toContain('secret')
})

test.each(['OP', 'PAY2SEE', 'HIDDENCONTENT', 'VIP'])('what [%s] keeps for others than all has a password that nobody knows', (name) => {
  const [part] = blocks(`<r><${name}><s>[x]</s>secret<e>[/x]</e></${name}></r>`, { hides: true })
  expect(part).toEqual({
    type: 'hidden',
    attrs: { lock: 'password', value: expect.stringMatching(/^[\da-f-]{36}$/) },
    content: [saying('secret')],
  })
})

// flarum/framework #3427, flarum/mentions #41: the author of the post was deleted, so it has no name.
test('the mention of a post whose author is gone is what was typed, as a link', () => {
  const xml = '<r><p><POSTMENTION discussionid="7" id="12" number="3">@"[deleted]"#p12</POSTMENTION></p></r>'
  expect(blocks(xml)).toEqual([{ type: 'paragraph', content: [linked('@"[deleted]"#p12', './d/7/3')] }])
})

// flarum/framework #1265
test('the mention of a member who has another name now is of the id', () => {
  const xml = '<r><p><USERMENTION displayname="Berlo" id="5" slug="berlo" username="Berlo">@Berlo</USERMENTION></p></r>'
  expect(blocks(xml)).toEqual([{ type: 'paragraph', content: [{ type: 'mention', attrs: { id: 'import:member/5', label: 'Berlo' } }] }])
})
