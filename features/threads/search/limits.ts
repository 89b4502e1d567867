/** The longest query in UTF-16 units, as forms count them, and the number of hits per page. */
export const longestQuery = 64
export const hitsPerPage = 15
