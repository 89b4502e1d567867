import type { BrowserContext, Page, Request } from 'playwright-core'
import { until } from '#base/testing/waits.ts'

type Traffic = { open: Set<Request>; begun: number }

const traffics = new WeakMap<Page, Traffic>()

/** Counts the requests of a browser's pages, so that tests can wait until they are idle. Event streams stay open and count as answered. */
export function countRequests(context: BrowserContext): void {
  for (const page of context.pages()) watchPage(page)
  context.on('page', watchPage)
}

function watchPage(page: Page): void {
  const traffic: Traffic = { open: new Set(), begun: 0 }
  traffics.set(page, traffic)
  const end = (request: Request) => void traffic.open.delete(request)
  page.on('request', (request) => {
    traffic.open.add(request)
    traffic.begun++
  })
  page.on('requestfinished', end).on('requestfailed', end)
  page.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream')) end(response.request())
  })
}

/** Waits until a page is idle: twice in a row without pending work, animations or requests. */
export async function untilIdle(page: Page): Promise<void> {
  const traffic = traffics.get(page)
  if (!traffic) throw new Error('Nobody heeds the traffic of this page')
  let [before, quiet] = [-1, 0]
  await until(async () => {
    const isIdle = await page.evaluate(idle)
    quiet = isIdle && traffic.open.size === 0 && traffic.begun === before ? quiet + 1 : 0
    before = traffic.begun
    return quiet === 2
  })
}

/** Work that the page itself scheduled for idle time runs first. */
function idle(): Promise<boolean> {
  // A scroll-driven animation runs forever, and moves nothing by itself.
  const isMoving = ({ playState, effect, timeline }: Animation) =>
    playState === 'running' && timeline instanceof DocumentTimeline && effect?.getTiming().iterations !== Infinity
  return new Promise((answer) => requestAnimationFrame(() => requestIdleCallback(() => answer(!document.getAnimations().some(isMoving)))))
}

/** Waits for another frame: immediate work of the page, and of its next frame, is done. */
export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))))
}
