import type { ShippedPackage } from './read-package.ts'

const RULE = '-'.repeat(80)

const TABLE_HEAD = `# What ships, and under which licence

Packages of which something is in what browsers load or in the worker. Their texts are served as \`/licences.txt\`. Written by \`npm run generate:licences\` from what the bundlers put in; \`npm run check\` refuses a list that is not true any more, and licences that \`checks/licences/judge-licence.ts\` does not name.

| Package | Version | Licence | Part of |
|---|---|---|---|`

/** The list for people who work on Adapt. */
export function writeTable(packages: readonly ShippedPackage[]): string {
  const rows = packages.map(
    ({ name, version, licence, source, bundles }) =>
      `| [${name}](${source}) | ${version} | ${licence} | ${bundles.join(', ')} |`,
  )
  return `${[TABLE_HEAD, ...rows].join('\n')}\n`
}

const NOTICES_HEAD = `Adapt is made with the work of others. These packages are part of what you load or of what
answers you, unchanged, under the licences below; their sources are at the addresses given.`

/** The notices that licences ask for, each text once, for everybody who is given the pages. */
export function writeNotices(packages: readonly ShippedPackage[]): string {
  const byNotice = Map.groupBy(packages, ({ notice }) => notice)
  const sections = [...byNotice].map(([notice, sharing]) => {
    const names = sharing.map(({ name, version, licence, source }) => `${name} ${version} (${licence}) ${source}`)
    return [RULE, names.join('\n'), RULE, notice].join('\n')
  })
  return `${[NOTICES_HEAD, ...sections].join('\n\n')}\n`
}
