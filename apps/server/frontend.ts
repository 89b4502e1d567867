import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { pageFiles, staffFiles, type Manifest } from '#apps/server/built-files.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Files } from '#apps/web/document.ts'
import type { Language } from '#base/server/words.ts'

/** The server side of the web program; a type only, because the program itself is built or transformed. */
export type Program = Pick<typeof import('#apps/web/server.tsx'), 'render' | 'closed' | 'sorry' | 'documentOf' | 'addresses'>

export type Frontend = {
  program(): Promise<Program>
  filesFor(screens: readonly string[], language: Language, allWords: boolean): Files
  filesForStaff(language: Language): Files
}

const folder = fileURLToPath(new URL('../../', import.meta.url))

/** The web program from its build. */
export async function builtFrontend(app: FastifyInstance): Promise<Frontend> {
  const [members, staff] = [manifestIn('dist/web'), manifestIn('dist/admin')]
  const program: Program = await import(pathToFileURL(`${folder}dist/web-server/server.js`).href)
  await app.register(fastifyStatic, { root: `${folder}dist/web`, ...staticOptions })
  await app.register(fastifyStatic, { root: `${folder}dist/admin`, prefix: '/admin/', decorateReply: false, ...staticOptions })
  const filesByKey = new Map<string, Files>()

  function once(key: string, make: () => Files): Files {
    const files = filesByKey.get(key) ?? make()
    filesByKey.set(key, files)
    return files
  }

  return {
    program: async () => program,
    filesFor: (screens, language, allWords) =>
      once(`${screens.join()} ${language} ${allWords}`, () => pageFiles(members, { screens, language, allWords })),
    filesForStaff: (language) => once(`staff ${language}`, () => staffFiles(staff, language)),
  }
}

const staticOptions = {
  preCompressed: true,
  index: false as const,
  dotfiles: 'ignore' as const,
  wildcard: false,
  cacheControl: false,
  setHeaders: (reply: { header(name: string, value: string): unknown }, path: string) =>
    void reply.header('cache-control', cacheControlFor(path)),
}

function manifestIn(built: string): Manifest {
  const file = `${folder}${built}/.vite/manifest.json`
  if (!existsSync(file)) throw new CannotStart('The pages are not built yet. Start with "npm start", which builds them.')
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The web program from its sources, reloaded as they change. */
export async function developmentFrontend(app: FastifyInstance): Promise<Frontend> {
  const { createServer } = await import('vite')
  const vite = await createServer({ root: folder, server: { middlewareMode: true, hmr: { server: app.server } } })
  app.addHook('onRequest', (request, reply, next) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    if (!request.is404 || !/^\/(@|apps\/|base\/|features\/|node_modules\/)|\.\w+$/.test(pathname)) return next()
    reply.hijack()
    vite.middlewares(request.raw, reply.raw, () => void reply.raw.writeHead(404).end())
  })
  app.addHook('onClose', () => vite.close())
  const files: Files = {
    scripts: ['/@vite/client', '/apps/web/browser.tsx'],
    styles: ['/base/web/style.css'],
    preloads: [],
    theme: '/apps/web/theme.ts',
    asPhone: '/apps/web/as-phone.ts',
  }
  return {
    program: async () => (await vite.ssrLoadModule(`/apps/web/server.tsx`)) as Program,
    filesFor: () => files,
    filesForStaff: () => ({ ...files, scripts: ['/@vite/client', '/apps/admin/browser.tsx'] }),
  }
}

function cacheControlFor(path: string): string {
  return path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}
