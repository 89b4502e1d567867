import type { FastifyInstance } from 'fastify'
import { cookie } from '#base/server/security/csrf.ts'
import { answerLanguage, type LanguageSettings } from '#base/language.ts'
import type { Language } from '#base/server/words.ts'
import { escapeHtml } from '#base/escape.ts'
import { iconLinks, type BrandPicture } from '#base/branding.ts'
import { htmlTag } from '#base/main-colour.ts'
import type { Frontend } from '#apps/server/frontend.ts'

type SiteLook = { title: string; mainColour: string; icon: BrandPicture | null }

type AdministrationOptions = {
  frontend: Frontend
  /** Headers of every answer. */
  headers: Record<string, string>
  site(): Promise<SiteLook & LanguageSettings>
}

/** The staff's app: one empty page for every address under `/admin`. Its data comes through calls, for those who are signed in. */
export function serveAdministration(app: FastifyInstance, options: AdministrationOptions): void {
  const { frontend, headers } = options
  for (const path of ['/admin', '/admin/*'])
    app.get(path, async (request, reply) => {
      // A missing asset is no screen.
      if (request.url.startsWith('/admin/assets/')) return reply.code(404).send()
      const site = await options.site()
      const { cookie: cookies, 'accept-language': acceptLanguage = null } = request.headers
      // As on members' pages: the visitor's choice if the site offers it, else the site's default, else the browser's language.
      const language = answerLanguage(cookie(cookies, 'language') ?? null, acceptLanguage, site)
      return reply
        .headers({ ...headers, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
        .type('text/html; charset=utf-8')
        .send(page(language, site, frontend.filesForStaff(language)))
    })
}

function page(
  language: Language,
  { title, mainColour, icon, languages }: SiteLook & LanguageSettings,
  { theme, styles, preloads, scripts }: ReturnType<Frontend['filesForStaff']>,
): string {
  return [
    '<!doctype html>',
    htmlTag(language, mainColour),
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    `<script src="${theme}"></script>`,
    ...styles.map((href) => `<link rel="stylesheet" href="${href}">`),
    ...preloads.map((href) => `<link rel="modulepreload" href="${href}">`),
    ...scripts.map((src) => `<script type="module" src="${src}"></script>`),
    ...iconLinks(icon),
    '</head>',
    '<body>',
    '<div id="root"></div>',
    `<script type="application/json" id="state">${JSON.stringify({ language, languages })}</script>`,
    '</body>',
    '</html>',
  ].join('\n')
}
