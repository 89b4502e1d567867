/** What a query may be long, in UTF-16 units as forms count them, and how many hits a page shows. */
export const longestQuery = 64
export const hitsPerPage = 15
