import type { FastifyInstance } from 'fastify'
import { openapiOf } from '#apps/server/openapi.ts'
import { escapeHtml } from '#base/escape.ts'
import { lazy } from '#base/lazy.ts'
import { anyone, type DocumentedRoute } from '#base/server/http/route.ts'

/** `/api/openapi.json` for programs and `/api/docs` for people, both from the routes and without requests to other hosts. */
export function serveDocs(app: FastifyInstance, routes: readonly DocumentedRoute[], title: string): void {
  const document = lazy(() => openapiOf(routes, title))
  const html = lazy(() => page(document(), routes))
  app.get('/api/openapi.json', async (_, reply) => reply.header('cache-control', 'public, max-age=300').send(document()))
  app.get('/api/docs', async (_, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'public, max-age=300').send(html()),
  )
  app.get('/api/docs.css', async (_, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=300').send(style),
  )
}

function page(document: ReturnType<typeof openapiOf>, routes: readonly DocumentedRoute[]): string {
  const { info, paths, components } = document as unknown as OpenApiDocument
  const groups = Map.groupBy(routes, ({ endpoint }) => endpoint.path.split('/')[1] ?? '')
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)}</title><link rel="stylesheet" href="/api/docs.css"></head>
<body>
<nav aria-label="Groups">${[...groups.keys()].map((name) => `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`).join('')}<a href="#documents">documents</a></nav>
<main>
<h1>${escapeHtml(info.title)}</h1>
${info.description
  .split('\n\n')
  .map((line) => `<p>${escapeHtml(line)}</p>`)
  .join('')}
<p>The same for programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${[...groups].map(([name, members]) => `<h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2>${members.map((route) => section(route, paths)).join('')}`).join('')}
<h2 id="documents">documents</h2>
${Object.entries(components.schemas).map(schemaSection).join('')}
</main></body></html>`
}

type OpenApiDocument = {
  info: { title: string; description: string }
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, { description?: string; example?: unknown }> }
}

/** One schema of a document, with its example. */
function schemaSection([name, { description = '', example, ...schema }]: [
  string,
  OpenApiDocument['components']['schemas'][string],
]): string {
  return `<section>
<h3 id="${escapeHtml(name)}">${escapeHtml(name)}</h3>
<p>${escapeHtml(description)}</p>
${example ? `<details><summary>Example</summary>${json(example)}</details>` : ''}
<details><summary>Schema</summary>${json(schema)}</details>
</section>`
}

function json(value: unknown): string {
  const text = escapeHtml(JSON.stringify(value, null, 2) ?? '')
  return `<pre tabindex="0">${text.replace(/#\/components\/schemas\/(\w+)/g, '<a href="#$1">$&</a>')}</pre>`
}

type Operation = {
  parameters?: unknown
  requestBody?: { content: Record<string, { schema: unknown }> }
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>
}

function section({ endpoint, guard }: DocumentedRoute, paths: Record<string, Record<string, unknown>>): string {
  const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()] as Operation
  const input = endpoint.method === 'GET' ? operation.parameters : (Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {})
  const output = Object.values(operation.responses['200']?.content ?? {})[0]?.schema
  const errors = endpoint.errors.map((kind) => `<li><code>${escapeHtml(kind.code)}</code> ${kind.status}</li>`).join('')
  return `<section>
<h3><span class="${endpoint.method}">${endpoint.method}</span> <code>${escapeHtml(endpoint.path)}</code>${guard === anyone ? '' : ` <small>${guard.right === undefined ? 'members' : 'staff'}</small>`}</h3>
<p>${escapeHtml(endpoint.summary)}</p>
<details><summary>Input</summary>${json(input)}</details>
<details><summary>Output</summary>${json(output)}</details>
${errors && `<details><summary>Errors</summary><ul>${errors}</ul></details>`}
</section>`
}

const style = `
:root { color-scheme: light dark; --paper: light-dark(#fbfaf7, #15171a); --ink: light-dark(#1d2125, #e8e6e1); --line: light-dark(#e8e5de, #2b2f35); --tea: light-dark(#2f6f4f, #7cc39d) }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif }
main { max-width: 860px; margin: 0 auto; padding: 24px 16px 96px }
nav { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 12px 16px; border-bottom: 1px solid var(--line); position: sticky; top: 0; background: var(--paper) }
h2, h3 { scroll-margin-top: 72px } @media (max-width: 860px) { nav { position: static } h2, h3 { scroll-margin-top: 12px } }
a { color: var(--tea) } h2 { margin-top: 48px } h3 { margin: 0; font-size: 16px; overflow-wrap: anywhere }
section { border-top: 1px solid var(--line); padding: 16px 0 } section p { margin: 4px 0 8px }
pre { overflow: auto; max-height: 420px; font-size: 13px; line-height: 1.45; border: 1px solid var(--line); border-radius: 8px; padding: 12px }
summary { cursor: pointer; color: var(--tea) } small { border: 1px solid var(--line); border-radius: 8px; padding: 0 6px; font-weight: 400 }
.GET, .POST { font-size: 12px; font-weight: 600; letter-spacing: .04em; color: var(--tea) }`
