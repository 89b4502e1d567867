import { z } from 'zod'
import { Refusal, type Api } from '#base/contract.ts'
import { isUnavailable } from '#base/server/database/database.ts'
import type { Log } from '#base/server/log.ts'
import { collectCacheTags } from '#base/server/cache/cache-tags.ts'
import type { RenderedResponse } from '#base/server/cache/page-cache.ts'
import type { ReadInProcess } from '#base/server/http/serve.ts'
import type { Frontend, Program } from '#apps/server/frontend.ts'
import { pathOf, type Site, type PageKey } from '#apps/server/page-key.ts'

export type Making = { frontend: Pick<Frontend, 'program' | 'filesFor'>; read: ReadInProcess; log: Log }

export type PageRequest = PageKey & { isPublic: boolean; isFleeting: boolean; site: Site }

/** Renders a page. A failure becomes an error page with a way to retry, and a line in the log. */
export async function makePage(making: Making, wanted: PageRequest): Promise<RenderedResponse> {
  const { site, language } = wanted
  if (site.siteState === 'closed') return sorry(making.frontend, wanted, 503, language === 'zh' ? site.closedTextZh : site.closedTextEn)
  const failures = failuresIn(making.log, wanted.path)
  try {
    return await make(making, wanted, failures)
  } catch (error) {
    failures.tell(error)
    return sorry(making.frontend, wanted, isUnavailable(error) ? 503 : 500)
  }
}

async function make({ frontend, read }: Making, wanted: PageRequest, failures: Failures): Promise<RenderedResponse> {
  const { language, layout, origin, isFleeting } = wanted
  const program = await frontend.program()
  if (layout === 'closed')
    return { ...written(program, wanted, program.closed(language), bareFiles(frontend, language)), tags: ['setting', 'everything'] }
  // The visitors' view changes with roles and tags.
  const tags = new Set(['setting', 'everything', 'role', 'tags'])
  const rendered = await collectCacheTags(tags, () =>
    program.render({ path: pathOf(wanted), origin, language, api: insideApi(read, failures), isFrame: !wanted.isPublic }),
  )
  if ('failing' in rendered) return sorry(frontend, wanted, rendered.failing)
  if ('redirect' in rendered)
    return { status: rendered.status, type: 'text/plain; charset=utf-8', body: '', location: rendered.redirect, tags: [...tags] }
  const files = frontend.filesFor(rendered.files, language, rendered.allWords)
  return { ...written(program, wanted, rendered, files), tags: [...tags], isFleeting }
}

async function sorry(frontend: Making['frontend'], wanted: PageRequest, status: number, text?: string): Promise<RenderedResponse> {
  const { language, site } = wanted
  const program = await frontend.program()
  const page = program.sorry({ language, siteTitle: site.title, path: pathOf(wanted), status, text })
  return written(program, wanted, page, bareFiles(frontend, language))
}

/** The files of pages without scripts. */
function bareFiles(frontend: Making['frontend'], language: PageRequest['language']): Files {
  return { ...frontend.filesFor([], language, false), scripts: [], preloads: [] }
}

type Page = ReturnType<Program['sorry']>
type Files = ReturnType<Frontend['filesFor']>

function written(program: Program, { language, layout, origin, site }: PageRequest, page: Page, files: Files): RenderedResponse {
  const { status, html, state, structured } = page
  const { description, keywords } = site
  const head = { ...(page.head.isPrivate ? {} : { description, keywords }), ...page.head }
  const body = program.documentOf({
    language,
    origin,
    siteTitle: site.title,
    mainColour: site.mainColour,
    icon: site.icon,
    head,
    files,
    html,
    state,
    structured,
    layout,
  })
  return { status, type: 'text/html; charset=utf-8', body, tags: [] }
}

/** The API for a page's loaders on the server. An error becomes a `Response` with its status, and so the router's error page. */
function insideApi(read: ReadInProcess, failures: Failures): Api {
  return {
    async read(path, input) {
      try {
        return (await read(path, input as Record<string, unknown>)) as never
      } catch (error) {
        const status = statusOf(error)
        if (status >= 500) failures.tell(error)
        throw new Response(null, { status })
      }
    },
    write: () => Promise.reject(new Error('Rendering a page writes nothing')),
  }
}

// Invalid input in an address means that there is no such page.
function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.kind.status
  if (error instanceof z.ZodError) return 404
  return isUnavailable(error) ? 503 : 500
}

type Failures = { tell(error: unknown): void }

// The calls of one page mostly fail for one reason, so only the first is logged.
function failuresIn(log: Log, path: string): Failures {
  let isTold = false
  return {
    tell(error) {
      if (!isTold) log.error({ err: describable(error), path }, 'A page could not be made')
      isTold = true
    },
  }
}

// An `AggregateError`, as of a host whose every address refuses, has no message itself.
function describable(error: unknown): unknown {
  if (error instanceof AggregateError && !error.message) return error.errors[0]
  return error instanceof Error ? error : new Error(`Thrown: ${String(error)}`)
}
