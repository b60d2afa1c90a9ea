/** Vite's way to files beside the tests, which run in workerd and cannot read from disk. */
interface ImportMeta {
  glob(pattern: `${string}.json`, options: { import: 'default'; eager: true }): Record<string, unknown>
  glob(pattern: string, options: { query: '?inline'; import: 'default'; eager: true }): Record<string, string>
}
