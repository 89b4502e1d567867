import { offerFeeds } from '#apps/server/syndication/feed.ts'
import type { SyndicationOptions } from '#apps/server/syndication/kept.ts'
import { offerNotes } from '#apps/server/syndication/notes.ts'
import { offerSharePictures } from '#apps/server/syndication/share-picture.ts'
import { offerSitemaps } from '#apps/server/syndication/sitemap.ts'

/** The site for programs: feeds, sitemaps and crawler files, all as a visitor may see it. */
export function serveSyndication(ground: SyndicationOptions): void {
  offerFeeds(ground)
  offerSitemaps(ground)
  offerSharePictures(ground)
  offerNotes(ground)
}
