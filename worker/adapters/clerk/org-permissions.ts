/** The claims in which a session token of version 2 holds the permissions of its active organization. */
interface PackedPermissions {
  /** Features with their scope, as in `o:dash,u:notes`. */
  fea?: string | undefined
  /** Names of permissions, as in `manage,read`. */
  per?: string | undefined
  /** For each feature of the organization a number whose bits say which of them it has, as in `3,1`. */
  fpm?: string | undefined
}

/** Unpacks permissions, as in `org:dash:manage` (Clerk, "Session tokens", version 2). */
export function unpackPermissions({ fea = '', per = '', fpm = '' }: PackedPermissions): string[] {
  const names = listed(per)
  const features = listed(fea).flatMap((feature) => /^u?o:(.+)$/.exec(feature)?.[1] ?? [])
  const maps = listed(fpm).map(Number)
  return features.flatMap((feature, at) =>
    names.filter((_, bit) => hasBit(maps[at] ?? 0, bit)).map((name) => `org:${feature}:${name}`),
  )
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function hasBit(map: number, bit: number): boolean {
  return Math.floor(map / 2 ** bit) % 2 === 1
}
