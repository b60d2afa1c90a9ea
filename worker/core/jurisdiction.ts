/**
 * The objects of a class where a deployment keeps them: in the European Union, or anywhere. The same name is another
 * object in each, so what a deployment began with stays (`cloud:setup` writes the variable once).
 */
export function objectsOf<Class extends Rpc.DurableObjectBranded | undefined>(
  { ROOM_JURISDICTION }: Pick<Env, 'ROOM_JURISDICTION'>,
  objects: DurableObjectNamespace<Class>,
): DurableObjectNamespace<Class> {
  return ROOM_JURISDICTION === 'eu' ? objects.jurisdiction('eu') : objects
}
