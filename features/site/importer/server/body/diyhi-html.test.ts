import { describe, expect, test } from 'vitest'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import { attachmentsOf, mentionsOf, toText } from '#base/rich-text/to-text.ts'
import { partsOf } from '#base/rich-text/hidden-part.ts'
import { repeated } from '#base/testing/hostile-inputs.ts'
import { isLinear } from '#base/testing/steps.ts'
import { diyhiBody } from '#importer/server/body/diyhi-html.ts'
import { nobodyLock } from '#importer/server/body/hidden-lock.ts'

const locksIn = (html: string) =>
  partsOf(diyhiBody(html).document).map(({ attrs, content = [] }) => [attrs.lock, attrs.value, toText({ type: 'doc', content })])
const openText = (html: string) =>
  toText({ type: 'doc', content: diyhiBody(html).document.content.filter(({ type }) => type !== 'hidden') })
const hide = (kind: string, value: string, text: string) => `<hide hide-type="${kind}" input-value="${value}">${text}</hide>`

describe('a hidden part', () => {
  test.each([
    ['a password, as its attribute writes it', hide('10', 'a &amp; b', 'x'), [['password', 'a & b', 'x']]],
    ['a comment', '<hide hide-type="20" class="inputValue_20">x</hide>', [['comment', '', 'x']]],
    ['the points of a grade', hide('30', '300', 'x'), [['level', '300', 'x']]],
    ['points', hide('40', '5', 'x'), [['points', '5', 'x']]],
    ['money, in cents', hide('50', '12.3', 'x'), [['balance', '1230', 'x']]],
    ['money without a fraction', hide('50', '7', 'x'), [['balance', '700', 'x']]],
    [
      'the value of the first part of its kind',
      hide('10', 'a', 'x') + hide('10', 'b', 'y'),
      [
        ['password', 'a', 'x'],
        ['password', 'a', 'y'],
      ],
    ],
    ['one price for all parts of its kind', `${hide('40', '5', 'x')}open${hide('40', '9', 'y')}`, [['points', '5', 'x\ny']]],
  ])('needs %s', (_, html, expected) => {
    expect(locksIn(html)).toEqual(expected)
    expect(openText(html)).not.toMatch(/[xy]/)
  })

  test.each([
    ['no kind', '<hide>x</hide>'],
    ['an unknown kind', hide('60', '1', 'x')],
    ['no password', hide('10', ' ', 'x')],
    ['no number of points', hide('40', '-5', 'x')],
    ['more money than there is', hide('50', '999999999999', 'x')],
    ['a fraction of a cent', hide('50', '0.001', 'x')],
  ])('with %s opens for nobody', (_, html) => {
    expect(locksIn(html)).toEqual([[nobodyLock.lock, nobodyLock.value, 'x']])
    expect(diyhiBody(html).notes).toContain('hidden part that nobody could open')
  })

  test('within a part of another kind opens for nobody, within one of its kind with it', () => {
    const nested = hide('20', '', `a${hide('50', '3', 'x')}b`)
    expect(locksIn(nested)).toEqual([
      ['comment', '', 'a'],
      [nobodyLock.lock, nobodyLock.value, 'x'],
      ['comment', '', 'b'],
    ])
    expect(locksIn(hide('40', '5', `a${hide('40', '5', 'x')}`))).toEqual([['points', '5', 'a\nx']])
  })

  test.each([
    ['that is never closed', '<p>open</p><hide hide-type="20"><p>x</p><p>y'],
    ['within a list', `<ul><li>open${hide('20', '', 'x')}</li></ul>`],
    ['within a table', `<table><tr><td>open</td><td>${hide('20', '', 'x')}</td></tr></table>`],
    ['within a quote', `<blockquote>open${hide('20', '', 'x')}</blockquote>`],
    ['around a block', `open${hide('20', '', '<ol><li>x</li></ol><pre><code>y</code></pre>')}`],
    ['within code', `open<pre><code>open${hide('20', '', 'x')}</code></pre>`],
    ['within a link to a file', `open<a href="file/topic/a/b.zip">open${hide('20', '', 'x')}</a>`],
  ])('%s shows nothing outside', (_, html) => {
    expect(locksIn(html)).not.toEqual([])
    expect(openText(html)).not.toMatch(/[xy]/)
  })

  test('that was typed within code is text, as it was there', () => {
    expect(openText('<pre><code>&lt;hide hide-type="20"&gt;x&lt;/hide&gt;</code></pre>')).toBe('<hide hide-type="20">x</hide>')
  })

  test('names no word of it in a note', () => {
    expect(diyhiBody(hide('20', '', '<secretword>x</secretword>')).notes).toEqual(['unknown tag'])
  })
})

const path = 'file/topic/2024-02-01/image/0a1b.png'

test.each([
  ['a picture', `<img src="${path}" alt="杯">`, [[`import:file/${path}`, '杯']]],
  ['a link', `<a href="${path}?md5=a" linktype="download">茶单.pdf</a>`, [[`import:file/${path}`, '茶单.pdf']]],
  ['a video', `<video src="${path}" controls="controls"></video>`, [[`import:file/${path}`, '0a1b.png']]],
  ['a picture elsewhere', '<img src="https://other.example/file/a/b.png">', []],
  ['a path out of the folder', '<img src="file/../a/b.png">', []],
])('a file comes where the text has %s', (_, html, expected) => {
  expect(attachmentsOf(diyhiBody(html).document).map(({ file, name }) => [file, name])).toEqual(expected)
})

test('an emoticon is its name, whatever folder it is in', () => {
  const html =
    'a<img src="common/emoticon/1.svg" alt="微笑">b<img src="/_nuxt/2.svg" title="茶" width="32px">c<img src="backstage/kindeditor/0.gif">'
  expect(openText(html)).toBe('a微笑b茶c')
})

test('a mention is of the member in its address; without the sign it is a link', () => {
  const link = (text: string) => `<a href="user/control/home?userName=aB3" rel="nofollow" linktype="mention">${text}</a>`
  expect(mentionsOf(diyhiBody(`a ${link('@安安')} b`).document)).toEqual([{ id: 'import:member/aB3', label: '安安' }])
  expect(toMarkdown(diyhiBody(link('profile')).document)).toBe('[profile](user/control/home?userName=aB3)')
})

test('a link within the site stays as it was written', () => {
  expect(toMarkdown(diyhiBody('<p><a href="thread?topicId=2">there</a></p>').document)).toBe('[there](thread?topicId=2)')
})

test.each(['<hide>', '</hide>', '<hide hide-type="20">a', '<a href="file/a/b">', hide('40', '5', 'a'), '<hide hide-type="20"><ul><li>'])(
  'the cost grows no faster than the length of %j',
  async (piece) => {
    expect(await isLinear((length) => () => diyhiBody(repeated(piece, length)))).toBe(true)
  },
)
