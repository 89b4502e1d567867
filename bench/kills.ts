// Kills parts of a forum for KILLS_MINUTES while members read and write: one of two servers, or with KILLS_CLUSTER=1 any part of the
// cluster that deploy/patroni describes.
const mode = process.env['KILLS_CLUSTER'] === '1' ? './kills-cluster.ts' : './kills-servers.ts'
await import(mode)
