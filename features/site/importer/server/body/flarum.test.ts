import { expect, test } from 'vitest'
import type { Block } from '#base/rich-text/document.ts'
import { documentFromS9e } from '#importer/server/body/s9e.ts'

const blocks = (xml: string): Block[] => documentFromS9e(xml).document.content
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
