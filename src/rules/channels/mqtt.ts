// A notice for an MQTT broker: the state of its watch, and the retained description by which Home Assistant shows the watch as a
// sensor (home-assistant.io/integrations/mqtt, "MQTT discovery" and "MQTT Sensor"). Pure.

import { isoTimestamp } from '../../base/clock.ts';
import { amountOf } from '../../base/listing/money/minor-units.ts';
import type { ChannelMessage, Target } from './channel.ts';
import { cardOf } from './notice-card.ts';
import { fitted } from './plain-text.ts';
import type { BrokerMessage } from './receiver.ts';

const DISCOVERY = 'homeassistant/sensor/openshelf';
const MAX_NAME = 120;
/** Home Assistant refuses longer states; attributes may be longer. */
const MAX_TEXT = 255;

/** Messages in the order in which they have to be published. */
export function mqttMessages(
  target: Extract<Target, { kind: 'mqtt' }>,
  message: ChannelMessage,
): readonly BrokerMessage[] {
  const { notice, watchUrl = null } = message;
  const { watchId, body, kind } = notice;
  const { title, text, url, imageUrl } = cardOf(message);
  const line = (written: string, most = MAX_TEXT) => fitted(written, { most });
  if (watchId === '') {
    const test = JSON.stringify({ title: line(title), text: line(text) });
    return [{ topic: `${target.topic}/test`, payload: test, isRetained: false }];
  }
  const { currency = 'USD' } = body;
  const amount = (cents: number | null) => (cents === null ? null : amountOf({ cents, currency }));
  const state = `${target.topic}/${watchId}/state`;
  const described = {
    name: line(body.product ?? '', MAX_NAME) || line(title, MAX_NAME),
    unique_id: `openshelf_${watchId}`,
    object_id: `openshelf_${watchId}`,
    state_topic: state,
    value_template: '{{ value_json.price }}',
    json_attributes_topic: state,
    unit_of_measurement: currency,
    device_class: 'monetary',
    ...(imageUrl === null ? {} : { entity_picture: imageUrl }),
    device: { identifiers: ['openshelf'], name: 'openshelf' },
    origin: { name: 'openshelf' },
  };
  const stated = {
    price: amount(body.newCents),
    old_price: amount(body.oldCents),
    target: amount(body.targetCents),
    kind,
    title: line(title),
    text: line(text),
    retailer: body.retailer === null ? null : line(body.retailer),
    url,
    watch_url: watchUrl,
    at: isoTimestamp(notice.atMs),
  };
  return [
    {
      topic: `${DISCOVERY}/${watchId}/config`,
      payload: JSON.stringify(described),
      isRetained: true,
    },
    { topic: state, payload: JSON.stringify(stated), isRetained: true },
  ];
}
