// Determines which parts of a channel are secret, and which a person may see once it is set up. Pure.

import type { Target } from './channel.ts';
import { asHtml, escaped } from './plain-text.ts';

/** `discord at discord.com`, `email to j…@shop.example`: never a path, a token, a topic or a whole address. */
export function hintOf(target: Target): string {
  switch (target.kind) {
    case 'webhook':
    case 'discord':
    case 'slack':
    case 'apprise':
    case 'mqtt':
      return `${target.kind} at ${hostOf(target.url)}`;
    case 'ntfy':
      return `ntfy at ${hostOf(target.server)}`;
    case 'telegram':
      return 'telegram';
    case 'feed':
      return 'Atom feed';
    case 'email': {
      const at = target.to.lastIndexOf('@');
      return `email to ${target.to.slice(0, 1)}…${target.to.slice(at)}`;
    }
  }
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? 'an address';

/**
 * Removes the target's secrets from a text. A receiver may echo the message, even its own address; none of that is stored.
 */
export function withoutSecrets(text: string, target: Target): string {
  const forms = new Set(secretsOf(target).flatMap(formsOf).filter(isTelling));
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((clean, form) => clean.replaceAll(form, '[hidden]'), text);
}

/** A chat `-12` or a path `/a` cannot be kept secret: any response may contain it by chance. */
const isTelling = (form: string): boolean => form.length > 3;

function secretsOf(target: Target): readonly string[] {
  switch (target.kind) {
    case 'webhook': {
      const secret = target.signingSecret;
      return [...partsOf(target.url), secret, secret.slice('whsec_'.length)];
    }
    case 'discord':
    case 'slack':
    case 'apprise':
      return partsOf(target.url);
    case 'mqtt':
      return target.login === null ? [] : [target.login.user, target.login.password];
    case 'feed':
      return [target.token];
    case 'ntfy':
      return target.token === null ? [target.topic] : [target.topic, target.token];
    case 'telegram':
      return [target.botToken, ...target.botToken.split(':').slice(1), target.chatId];
    case 'email':
      return [target.to];
  }
}

/** Shorter path segments are words such as `api`. */
const MIN_PART = 6;

function partsOf(address: string): readonly string[] {
  const url = URL.parse(address);
  if (url === null) return [address];
  // Receivers echo paths and queries without the part before them, and values as sent.
  const [path, query] = [url.pathname.slice(1), url.search.slice(1)];
  const sent = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
  const parts = [path, query, ...path.split('/'), ...url.searchParams.values(), ...sent];
  const wholes = [url.href, url.pathname + url.search, url.pathname, url.search];
  return [...wholes, ...parts.filter((part) => part.length >= MIN_PART)];
}

/** Returns the forms in which a secret may appear in a response: unchanged, decoded, encoded, inside JSON or HTML. */
function formsOf(secret: string): readonly string[] {
  const small = secret.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const plain = [secret, small, decoded(secret), encodeURIComponent(secret)];
  return plain.flatMap((form) => {
    const json = JSON.stringify(form).slice(1, -1);
    return [form, json, json.replaceAll('/', String.raw`\/`), escaped(form, asHtml)];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
