import { z } from 'zod'
import { Refusal, type Api } from '#base/contract.ts'
import { isUnavailable } from '#base/server/database/database.ts'
import type { Log } from '#base/server/log.ts'
import { collectCacheTags } from '#base/server/cache/cache-tags.ts'
import type { RenderedResponse } from '#base/server/cache/cached-response.ts'
import type { Frontend, Program } from '#apps/server/frontend.ts'
import type { HtmlMemo } from '#apps/server/html-memo.ts'
import { answerText, type ReadInProcess } from '#base/server/http/read-in-process.ts'
import { pathOf, type SiteInfo, type PageKey } from '#apps/server/page-key.ts'

export type RenderContext = { frontend: Pick<Frontend, 'program' | 'filesFor'>; read: ReadInProcess; memo: HtmlMemo; log: Log }

export type PageRequest = PageKey & { isPublic: boolean; isUncacheable: boolean; site: SiteInfo }

/** Renders a page. A failure becomes an error page with a way to retry, and a line in the log. */
export async function renderPage(context: RenderContext, request: PageRequest): Promise<RenderedResponse> {
  const { site, language } = request
  if (site.siteState === 'closed')
    return errorPage(context.frontend, request, 503, language === 'zh' ? site.closedTextZh : site.closedTextEn)
  const failures = failureLog(context.log, request.path)
  try {
    return await renderOrFail(context, request, failures)
  } catch (error) {
    failures.report(error)
    return errorPage(context.frontend, request, isUnavailable(error) ? 503 : 500)
  }
}

async function renderOrFail(
  { frontend, read, memo }: RenderContext,
  request: PageRequest,
  failures: FailureLog,
): Promise<RenderedResponse> {
  const { language, layout, origin, isUncacheable } = request
  const program = await frontend.program()
  if (layout === 'closed')
    return {
      ...toResponse(program, request, program.closed(language), filesWithoutScripts(frontend, language)),
      tags: ['setting', 'everything'],
    }
  // The visitors' view changes with roles and tags.
  const tags = new Set(['setting', 'everything', 'role', 'tags'])
  const rendered = await collectCacheTags(tags, () =>
    program.render({
      path: pathOf(request),
      origin,
      language,
      api: serverApi(read, failures),
      textOf: answerText,
      memo,
      isFrame: !request.isPublic,
    }),
  )
  if ('failing' in rendered) return errorPage(frontend, request, rendered.failing)
  if ('redirect' in rendered)
    return { status: rendered.status, type: 'text/plain; charset=utf-8', body: '', location: rendered.redirect, tags: [...tags] }
  const files = frontend.filesFor(rendered.files, language, rendered.allWords)
  return { ...toResponse(program, request, rendered, files), tags: [...tags], isUncacheable, mayBeLate: true }
}

async function errorPage(
  frontend: RenderContext['frontend'],
  request: PageRequest,
  status: number,
  text?: string,
): Promise<RenderedResponse> {
  const { language, site } = request
  const program = await frontend.program()
  const page = program.sorry({ language, siteTitle: site.title, path: pathOf(request), status, text })
  return toResponse(program, request, page, filesWithoutScripts(frontend, language))
}

/** The files of pages without scripts. */
function filesWithoutScripts(frontend: RenderContext['frontend'], language: PageRequest['language']): Files {
  return { ...frontend.filesFor([], language, false), scripts: [], preloads: [] }
}

type Page = ReturnType<Program['sorry']>
type Files = ReturnType<Frontend['filesFor']>

function toResponse(program: Program, { language, layout, origin, site }: PageRequest, page: Page, files: Files): RenderedResponse {
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
function serverApi(read: ReadInProcess, failures: FailureLog): Api {
  return {
    async read(path, input) {
      try {
        return (await read(path, input as Record<string, unknown>)) as never
      } catch (error) {
        const status = statusOf(error)
        if (status >= 500) failures.report(error)
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

type FailureLog = { report(error: unknown): void }

// The calls of one page mostly fail for one reason, so only the first is logged.
function failureLog(log: Log, path: string): FailureLog {
  let isReported = false
  return {
    report(error) {
      if (!isReported) log.error({ err: describable(error), path }, 'A page could not be made')
      isReported = true
    },
  }
}

// An `AggregateError`, as of a host whose every address refuses, has no message itself.
function describable(error: unknown): unknown {
  if (error instanceof AggregateError && !error.message) return error.errors[0]
  return error instanceof Error ? error : new Error(`Thrown: ${String(error)}`)
}
