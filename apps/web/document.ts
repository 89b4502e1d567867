import { isolate } from '#base/direction.ts'
import { escapeHtml } from '#base/escape.ts'
import { iconLinks, iconSrc, type BrandPicture } from '#base/branding.ts'
import { mainColours, htmlTag } from '#base/main-colour.ts'
import type { Head, Language } from '#base/web/screen.ts'
import { dataBlock } from '#apps/web/page-state.ts'
import type { StructuredData } from '#apps/web/structured-data.ts'

export type Files = {
  scripts: readonly string[]
  styles: readonly string[]
  preloads: readonly string[]
  theme: string
  /** Loaded after the styles, for the phone layout on a desktop. */
  asPhone: string
}

type Page = {
  language: Language
  siteTitle: string
  /** The site's choice; empty for the default. */
  mainColour: string
  icon: BrandPicture | null
  head: Head
  files: Files
  html: Buffer
  /** JSON for a script element. */
  state: string
  structured: readonly StructuredData[]
  origin: string
  layout: 'responsive' | 'wide' | 'phone' | 'closed'
}

/** The whole document. React owns the content of #root. No script is inline: state and structured data are JSON data blocks. */
export function documentOf({ language, siteTitle, mainColour, icon, head, files, html, state, structured, origin, layout }: Page): Buffer {
  const title = head.title ? `${isolate(head.title)} - ${isolate(siteTitle)}` : siteTitle
  const lines = [
    '<!doctype html>',
    htmlTag(language, mainColour, layout === 'phone' ? ' data-layout="phone"' : ''),
    '<head>',
    '<meta charset="utf-8">',
    `<meta name="viewport" content="${layout === 'wide' ? 'width=1100' : 'width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content'}">`,
    `<title>${escapeHtml(title)}</title>`,
    `<script src="${files.theme}"></script>`,
    ...files.styles.map((href) => `<link rel="stylesheet" href="${href}">`),
    ...(layout === 'phone' ? [`<script src="${files.asPhone}"></script>`] : []),
    // After the styles and the pictures: the page is readable without them.
    ...files.preloads.map((href) => `<link rel="modulepreload" fetchpriority="low" href="${href}">`),
    ...files.scripts.map((src) => `<script type="module" fetchpriority="low" src="${src}"></script>`),
    ...metaOf(head, title, siteTitle, origin, language),
    ...previewPicture(head, icon, origin),
    ...themeColours(mainColour),
    ...iconLinks(icon),
    '<link rel="manifest" href="/site.webmanifest">',
    ...feedsOf(head, title, siteTitle),
    ...structured.map((one) => `<script type="application/ld+json">${dataBlock(one)}</script>`),
    '</head>',
    '<body>',
    '<div id="root">',
  ]
  const end = `</div>\n<script type="application/json" id="state">${state}</script>\n</body>\n</html>`
  return Buffer.concat([Buffer.from(lines.join('\n')), html, Buffer.from(end)])
}

function themeColours(mainColour: string): string[] {
  const { light, dark } = mainColours(mainColour)?.tea ?? { light: '#fbfaf7', dark: '#15171a' }
  return [
    `<meta name="theme-color" content="${light}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)">`,
  ]
}

function metaOf(head: Head, title: string, siteTitle: string, origin: string, language: Language): string[] {
  const address = head.canonical && `${origin}${head.canonical}`
  const lines = [
    head.description && `<meta name="description" content="${escapeHtml(head.description)}">`,
    head.keywords && `<meta name="keywords" content="${escapeHtml(head.keywords)}">`,
    address && `<link rel="canonical" href="${escapeHtml(address)}">`,
    (head.isPrivate || !head.canonical) && '<meta name="robots" content="noindex">',
    `<meta property="og:site_name" content="${escapeHtml(siteTitle)}">`,
    `<meta property="og:title" content="${escapeHtml(head.title ?? title)}">`,
    `<meta property="og:type" content="${head.kind ?? 'website'}">`,
    `<meta property="og:locale" content="${language === 'zh' ? 'zh_CN' : 'en_US'}">`,
    head.description && `<meta property="og:description" content="${escapeHtml(head.description)}">`,
    address && `<meta property="og:url" content="${escapeHtml(address)}">`,
  ]
  return lines.filter((line): line is string => typeof line === 'string')
}

/** The preview picture of a shared link: the page's own, or the site's icon. */
function previewPicture({ picture }: Head, icon: BrandPicture | null, origin: string): string[] {
  const image = picture ?? (icon && { src: iconSrc(icon, 512), width: 512, height: 512 })
  return [
    `<meta property="og:image" content="${escapeHtml(origin + (image?.src ?? '/share.png'))}">`,
    ...(image
      ? [`<meta property="og:image:width" content="${image.width}">`, `<meta property="og:image:height" content="${image.height}">`]
      : []),
    `<meta name="twitter:card" content="${picture ? 'summary_large_image' : 'summary'}">`,
  ]
}

function feedsOf({ feed, feeds: others = [] }: Head, title: string, siteTitle: string): string[] {
  const feeds = [...(feed ? [{ title, path: feed }] : []), ...others, { title: siteTitle, path: '/feed' }]
  return feeds.map(
    (one) => `<link rel="alternate" type="application/atom+xml" title="${escapeHtml(one.title)}" href="${escapeHtml(one.path)}">`,
  )
}
