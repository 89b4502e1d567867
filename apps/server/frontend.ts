import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Files } from '#apps/web/document.ts'

/** What the web program's server side gives; a type only, for the program itself is built or transformed. */
export type Program = Pick<typeof import('#apps/web/server.tsx'), 'render' | 'shell' | 'documentOf' | 'addresses'>

export type Frontend = {
  program(): Promise<Program>
  /** The scripts and styles that a screen needs, all of them, so that none waits for another. */
  filesFor(screen: string | null): Files
}

type Chunk = { file: string; src?: string; css?: string[]; imports?: string[] }
type Manifest = Record<string, Chunk>

const folder = fileURLToPath(new URL('../../', import.meta.url))
const entry = 'apps/web/browser.tsx'

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
  const known = new Map<string | null, Files>()
  return {
    program: async () => program,
    filesFor(screen) {
      const files = known.get(screen) ?? filesOf(manifest, screen)
      known.set(screen, files)
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
    if (!/^\/(@|apps\/|base\/|features\/|node_modules\/)|\.\w+$/.test(pathname)) return next()
    reply.hijack()
    vite.middlewares(request.raw, reply.raw, () => void reply.raw.writeHead(404).end())
  })
  app.addHook('onClose', () => vite.close())
  const files: Files = {
    scripts: ['/@vite/client', `/${entry}`],
    styles: ['/base/web/style.css'],
    preloads: [],
    theme: '/apps/web/theme.ts',
  }
  return {
    program: async () => (await vite.ssrLoadModule(`/apps/web/server.tsx`)) as Program,
    filesFor: () => files,
  }
}

function filesOf(manifest: Manifest, screen: string | null): Files {
  const start = manifest[entry]
  const page = screen ? manifest[new URL(screen, 'file:///apps/web/').pathname.slice(1)] : undefined
  const needed = new Map<string, Chunk>()
  for (const chunk of [start, page]) if (chunk) gather(manifest, chunk, needed)
  const chunks = [...needed.values()]
  return {
    scripts: start ? [`/${start.file}`] : [],
    preloads: chunks.filter((chunk) => chunk !== start).map((chunk) => `/${chunk.file}`),
    styles: [...new Set(chunks.flatMap((chunk) => chunk.css ?? []))].map((file) => `/${file}`),
    theme: `/${manifest['apps/web/theme.ts']?.file ?? ''}`,
  }
}

function gather(manifest: Manifest, chunk: Chunk, needed: Map<string, Chunk>): void {
  if (needed.has(chunk.file)) return
  needed.set(chunk.file, chunk)
  for (const name of chunk.imports ?? []) {
    const its = manifest[name]
    if (its) gather(manifest, its, needed)
  }
}

function cachingFor(path: string): string {
  return path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}
