import { useRouteLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { createStore } from '#base/web/store.ts'
import type { baseInfo } from '#setting/contract.ts'

export type Site = Output<typeof baseInfo>

/** Incremented when the base info has to be loaded again: after a login, a logout, a change of profile. */
export const userInfoVersion = createStore(0)

/** False while the topic of the page may not be viewed. Every request to /thread sets it to true first. */
export const topicDetailPermission = createStore(true)

/** The base info last loaded by the browser; initially the one in the page. */
export const site = createStore<Site | null>(null)

export function useSite(): Site {
  const rendered = useRouteLoaderData('site') as Site
  return site.useAs((its) => its ?? rendered)
}
