import { offerFeeds } from '#apps/server/syndication/feed.ts'
import type { SyndicationOptions } from '#apps/server/syndication/kept.ts'
import { offerNotes } from '#apps/server/syndication/notes.ts'
import { offerSharePictures } from '#apps/server/syndication/share-picture.ts'
import { offerSitemaps } from '#apps/server/syndication/sitemap.ts'

/** What programs read of the site: feeds, sitemaps and notes to crawlers; all of it as a visitor may see it. */
export function serveSyndication(ground: SyndicationOptions): void {
  offerFeeds(ground)
  offerSitemaps(ground)
  offerSharePictures(ground)
  offerNotes(ground)
}
