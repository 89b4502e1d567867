import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { filesOf, type Manifest } from '#apps/server/built-files.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Files } from '#apps/web/document.ts'
import type { Language } from '#base/server/words.ts'

/** What the web program's server side gives; a type only, for the program itself is built or transformed. */
export type Program = Pick<typeof import('#apps/web/server.tsx'), 'render' | 'closed' | 'sorry' | 'documentOf' | 'addresses'>

export type Frontend = {
  program(): Promise<Program>
  filesFor(screen: string | null, language: Language, allWords: boolean): Files
}

const folder = fileURLToPath(new URL('../../', import.meta.url))

/** The web program as it was built. */
export async function builtFrontend(app: FastifyInstance): Promise<Frontend> {
  const manifestFile = `${folder}dist/web/.vite/manifest.json`
  if (!existsSync(manifestFile)) throw new CannotStart('The pages are not built yet. Start with "npm start", which builds them.')
  const manifest: Manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const program: Program = await import(pathToFileURL(`${folder}dist/web-server/server.js`).href)
  await app.register(fastifyStatic, {
    root: `${folder}dist/web`,
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    wildcard: false,
    cacheControl: false,
    setHeaders: (reply, path) => void reply.header('cache-control', cachingFor(path)),
  })
  const known = new Map<string, Files>()
  return {
    program: async () => program,
    filesFor(screen, language, allWords) {
      const key = `${screen} ${language} ${allWords}`
      const files = known.get(key) ?? filesOf(manifest, { screen, language, allWords })
      known.set(key, files)
      return files
    },
  }
}

/** The web program straight from its sources, renewed while they are edited. */
export async function developedFrontend(app: FastifyInstance): Promise<Frontend> {
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
  }
  return {
    program: async () => (await vite.ssrLoadModule(`/apps/web/server.tsx`)) as Program,
    filesFor: () => files,
  }
}

function cachingFor(path: string): string {
  return path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}
