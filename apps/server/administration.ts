import type { FastifyInstance } from 'fastify'
import { cookie } from '#base/server/csrf.ts'
import { languageOf, type Language } from '#base/server/words.ts'
import { escapeHtml } from '#base/escape.ts'
import { openingOf } from '#base/main-colour.ts'
import type { Frontend } from '#apps/server/frontend.ts'

type Ground = {
  frontend: Frontend
  /** What every answer carries. */
  headers: Record<string, string>
  site(): Promise<{ title: string; mainColour: string; defaultLanguage: string }>
}

/** The staff's app: one empty page for every address under `/admin`. Whatever it shows comes through calls, to those who have signed in. */
export function serveAdministration(app: FastifyInstance, { frontend, headers, site }: Ground): void {
  for (const path of ['/admin', '/admin/*'])
    app.get(path, async (request, reply) => {
      // What is missing among the built files is no screen.
      if (request.url.startsWith('/admin/assets/')) return reply.code(404).send()
      const { title, mainColour, defaultLanguage } = await site()
      const language = languageOf(cookie(request.headers.cookie, 'language') || defaultLanguage || request.headers['accept-language'])
      return reply
        .headers({ ...headers, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
        .type('text/html; charset=utf-8')
        .send(page(language, { title, mainColour }, frontend.filesForStaff(language)))
    })
}

function page(
  language: Language,
  { title, mainColour }: { title: string; mainColour: string },
  { theme, styles, preloads, scripts }: ReturnType<Frontend['filesForStaff']>,
): string {
  return [
    '<!doctype html>',
    openingOf(language, mainColour),
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    `<script src="${theme}"></script>`,
    ...styles.map((href) => `<link rel="stylesheet" href="${href}">`),
    ...preloads.map((href) => `<link rel="modulepreload" href="${href}">`),
    ...scripts.map((src) => `<script type="module" src="${src}"></script>`),
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '</head>',
    '<body>',
    '<div id="root"></div>',
    `<script type="application/json" id="state">{"language":"${language}"}</script>`,
    '</body>',
    '</html>',
  ].join('\n')
}
