# npm pack && docker build -t freight . && docker run -v freight:/data -e FREIGHT_BASE_URL -e FREIGHT_API_KEY freight today
FROM node:24-slim
COPY freight-cli-*.tgz /tmp/
RUN npm install --global /tmp/freight-cli-*.tgz && rm /tmp/freight-cli-*.tgz && install -d -o node -g node /data
# Ledger, settings and quotes outlive the container, and its name in the ledger does not change with each.
ENV FREIGHT_STATE_DIR=/data/state FREIGHT_CONFIG_DIR=/data/config FREIGHT_WORKSTATION=container LANG=C.UTF-8
VOLUME /data
USER node
WORKDIR /data
ENTRYPOINT ["freight"]
