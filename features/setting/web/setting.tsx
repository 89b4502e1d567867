import { useRouteLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { storeOf } from '#base/web/store.ts'
import type { baseInfo } from '#setting/contract.ts'

export type Site = Output<typeof baseInfo>

/** Counts up whenever base info must be asked for again: after a login, a logout, a change of profile. */
export const userInfoVersion = storeOf(0)

/** False while the topic on the page may not be viewed. Every request to /thread sets it true first. */
export const topicDetailPermission = storeOf(true)

/** The base info as the browser last heard it; before that, as the page was rendered with. */
export const site = storeOf<Site | null>(null)

export function useSite(): Site {
  const rendered = useRouteLoaderData('site') as Site
  return site.use() ?? rendered
}
