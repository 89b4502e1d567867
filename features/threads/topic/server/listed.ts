import { sql } from 'kysely'

// Literals, since a generic plan uses a partial index only if the statement itself implies its predicate.
export const isPublished = sql<boolean>`topic.status = 'published'`
export const isNotDeleted = sql<boolean>`topic.status <> 'deleted'`
export const isPinned = sql<boolean>`topic.pin > 0`
export const isUnpinned = sql<boolean>`topic.pin = 0`
