import { serveFeeds } from '#apps/server/syndication/feed.ts'
import type { SyndicationOptions } from '#apps/server/syndication/serve-cached.ts'
import { serveCrawlerFiles } from '#apps/server/syndication/crawler-files.ts'
import { serveSharePictures } from '#apps/server/syndication/share-picture.ts'
import { serveSitemaps } from '#apps/server/syndication/sitemap.ts'

/** The site for programs: feeds, sitemaps and crawler files, all as a visitor may see it. */
export function serveSyndication(options: SyndicationOptions): void {
  serveFeeds(options)
  serveSitemaps(options)
  serveSharePictures(options)
  serveCrawlerFiles(options)
}
