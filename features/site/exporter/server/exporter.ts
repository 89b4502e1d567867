export { exportCommunity, type ExportRequest } from '#exporter/server/export-community.ts'
export { secretsNamed } from '#exporter/server/secrets.ts'
